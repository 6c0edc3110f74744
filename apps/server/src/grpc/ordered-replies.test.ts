import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OrderedReplies } from "./ordered-replies.ts";

describe("OrderedReplies", () => {
  it("sends in the order of the places whatever the order of the replies, and each place's in their own", () => {
    const order = fc.array(fc.nat(3), { maxLength: 8 }).chain((counts) =>
      fc.tuple(
        fc.constant(counts),
        fc.shuffledSubarray(
          counts.flatMap((count, place) => Array.from({ length: count + 1 }, () => place)),
          { minLength: counts.reduce((sum, count) => sum + count + 1, 0) },
        ),
      ),
    );
    fc.assert(
      fc.property(order, ([counts, steps]) => {
        const sent: string[] = [];
        const replies = new OrderedReplies<string>((reply) => sent.push(reply));
        const places = counts.map(() => replies.open());
        const done = counts.map(() => 0);
        for (const place of steps) {
          const nth = done[place] ?? 0;
          if (nth < (counts[place] ?? 0)) places[place]?.put(`${place}.${nth}`);
          else places[place]?.end();
          done[place] = nth + 1;
        }
        expect(sent).toEqual(
          counts.flatMap((count, place) => Array.from({ length: count }, (_, index) => `${place}.${index}`)),
        );
      }),
    );
  });

  it("sends what the first place has at once, before it ends", () => {
    const sent: string[] = [];
    const replies = new OrderedReplies<string>((reply) => sent.push(reply));
    const first = replies.open();
    const second = replies.open();
    second.put("b");
    first.put("a1");
    expect(sent).toEqual(["a1"]);
    first.put("a2");
    first.end();
    expect(sent).toEqual(["a1", "a2", "b"]);
  });

  it("gives back what was never sent, once, and sends it no more", () => {
    const sent: string[] = [];
    const replies = new OrderedReplies<string>((reply) => sent.push(reply));
    const first = replies.open();
    const second = replies.open();
    second.put("b");
    expect(replies.clear()).toEqual(["b"]);
    expect(replies.clear()).toEqual([]);
    first.end();
    second.end();
    expect(sent).toEqual([]);
  });
});
