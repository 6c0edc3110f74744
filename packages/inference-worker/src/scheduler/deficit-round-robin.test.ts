import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeficitRoundRobin } from "./deficit-round-robin.ts";

const contender = fc.record({ charge: fc.integer({ min: 1, max: 100_000 }), weight: fc.integer({ min: 1, max: 16 }) });

describe("DeficitRoundRobin", () => {
  it("goes round while charges are not known", () => {
    const turns = new DeficitRoundRobin(3);
    const contenders = [0, 1, 2].map((lane) => ({ lane, charge: 0, weight: 1 }));
    expect([1, 2, 3, 4].map(() => turns.choose(contenders))).toEqual([0, 1, 2, 0]);
  });

  it("says nothing without contenders", () => {
    expect(new DeficitRoundRobin(1).choose([])).toBeUndefined();
  });

  it("gives all that wait their share of the time, to within one batch of each", () => {
    fc.assert(
      fc.property(fc.array(contender, { minLength: 2, maxLength: 5 }), (classes) => {
        const turns = new DeficitRoundRobin(classes.length);
        const contenders = classes.map((details, lane) => ({ lane, ...details }));
        const served = classes.map(() => 0);
        for (let round = 0; round < 500; round++) {
          const lane = turns.choose(contenders) ?? -1;
          served[lane] = (served[lane] ?? 0) + (classes[lane]?.charge ?? 0);
          const shares = classes.map(({ weight }, index) => (served[index] ?? 0) / weight);
          const slack = Math.max(...classes.map(({ charge, weight }) => charge / weight));
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(slack * 1.000001);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("keeps no credit for a class that had nothing to send", () => {
    const turns = new DeficitRoundRobin(2);
    const small = { lane: 0, charge: 1, weight: 1 };
    const large = { lane: 1, charge: 100, weight: 1 };
    for (let n = 0; n < 99; n++) expect(turns.choose([small, large])).toBe(0);
    turns.emptied(1);
    for (let n = 0; n < 99; n++) expect(turns.choose([small, large])).toBe(0);
  });
});
