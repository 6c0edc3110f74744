import { describe, expect, it } from "vitest";
import type { Comparison } from "./compare-outputs.ts";
import { Comparer } from "./comparer.ts";
import { ShadowRoom } from "./shadow-room.ts";
import { parseShadow } from "./shadow-rules.ts";
import { ShadowTally } from "./shadow-tally.ts";

const differing = (absolute: number | null): Comparison => ({
  agreed: false,
  maxAbsolute: absolute ?? 0,
  maxRelative: 0,
  top1: { same: 1, of: 2 },
  worst: { output: "OUT", index: 0, primary: 1, shadow: 2, absolute, relative: null },
});
const as = (requestId: string) => () => ({ requestId, at: "", inputs: [] });

it("a tally keeps the requests that differ most, the worst first, and describes no others", () => {
  const tally = new ShadowTally(2);
  tally.compared(differing(1), as("one"));
  tally.compared(differing(3), as("three"));
  tally.compared(differing(null), as("other shape"));
  tally.compared(differing(2), () => {
    throw new Error("described");
  });
  tally.compared({ ...differing(0), agreed: true, worst: undefined }, as("same"));
  const { worst, compared, agreed, maxAbsolute, top1 } = tally.status();
  expect(worst.map(({ requestId }) => requestId)).toEqual(["other shape", "three"]);
  expect([compared, agreed, maxAbsolute, top1]).toEqual([5, 1, 3, { same: 5, of: 10 }]);
});

it("there is no room beyond the limit, nor while the machine has little left", () => {
  let nowMs = 0;
  let memory = 2 ** 33;
  const room = new ShadowRoom({ nowMs: () => nowMs, free: () => ({ memory, shm: undefined }) });
  expect([room.take(60 << 20), room.take(5 << 20), room.take(4 << 20)]).toEqual([true, false, true]);
  room.give(60 << 20);
  memory = 1 << 20;
  expect(room.take(1)).toBe(true);
  nowMs = 1_000;
  expect(room.take(1)).toBe(false);
});

it("comparisons wait for each other, and no more than some", async () => {
  const comparer = new Comparer();
  const begun: number[] = [];
  const added = await new Promise<boolean[]>((resolve) => {
    const results = Array.from({ length: 70 }, (_, index) =>
      comparer.add(function* () {
        begun.push(index);
        yield;
        if (index === results.lastIndexOf(true)) resolve(results);
      }),
    );
  });
  // The first is not waiting: it is at work.
  expect(added.filter((one) => one)).toHaveLength(65);
  expect(begun).toEqual(Array.from({ length: 65 }, (_, index) => index));
});

describe("parseShadow()", () => {
  it("fills in what is not said, and reads versions as numbers", () => {
    expect(parseShadow({ target: "trial/01", percent: 5 })).toEqual({
      target: "trial/1",
      percent: 5,
      requests: "unversioned",
      absolute: 1e-5,
      relative: 1e-3,
      keepWorst: 10,
    });
  });

  it.each([
    [{ percent: 1 }, /'target'/],
    [{ target: "two", percent: 1 }, /'target'/],
    [{ target: "/2", percent: 1 }, /'target'/],
    [{ target: "2", percent: 0 }, /'percent'/],
    [{ target: "2", percent: 101 }, /'percent'/],
    [{ target: "2", percent: 1, absolute: -1 }, /'absolute'/],
    [{ target: "2", percent: 1, relative: "1" }, /'relative'/],
    [{ target: "2", percent: 1, keepWorst: 51 }, /'keepWorst'/],
    [{ target: "2", percent: 1, requests: "some" }, /'requests'/],
  ])("refuses %j", (body, message) => {
    expect(() => parseShadow(body)).toThrow(message);
  });
});
