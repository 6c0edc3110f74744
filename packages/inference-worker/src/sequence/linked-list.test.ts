import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LinkedList, type ListNode } from "./linked-list.ts";

describe("LinkedList", () => {
  it("keeps its values like an array does", () => {
    const step = fc.tuple(fc.constantFrom("push", "unshift", "shift", "remove"), fc.nat(20));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = new LinkedList<number>();
        const nodes: ListNode<number>[] = [];
        let values: number[] = [];
        steps.forEach(([action, at], value) => {
          if (action === "push") {
            nodes.push(list.push(value));
            values.push(value);
          } else if (action === "unshift") {
            nodes.push(list.unshift(value));
            values.unshift(value);
          } else if (action === "shift") {
            expect(list.shift()).toBe(values.shift());
          } else {
            const node = nodes[at];
            list.remove(node);
            values = values.filter((other) => other !== node?.value);
          }
          expect([...list]).toEqual(values);
          expect([list.size, list.first]).toEqual([values.length, values[0]]);
        });
      }),
    );
  });
});
