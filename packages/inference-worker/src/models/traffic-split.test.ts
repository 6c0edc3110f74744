import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Credits, countTurn, eligibleWeights, sharesOf, versionInTurn, versionOfKey } from "./traffic-split.ts";

const weights = fc
  .dictionary(fc.constantFrom("1", "2", "3", "4", "17"), fc.integer({ min: 0, max: 40 }), { minKeys: 1 })
  .filter((record) => Object.values(record).some((weight) => weight > 0));
const split = (record: Readonly<Record<string, number>>) => ({ weights: new Map(Object.entries(record)) });
const all = () => true;

function take(eligible: ReadonlyMap<string, number>, credits: Credits): string {
  const version = versionInTurn(eligible, credits) ?? "none";
  countTurn(eligible, credits, version);
  return version;
}

function counts(versions: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const version of versions) found[version] = (found[version] ?? 0) + 1;
  return found;
}

describe("turns without a key", () => {
  it("are exactly the weights in every round, wherever it begins", () => {
    fc.assert(
      fc.property(weights, fc.nat(50), (record, skipped) => {
        const eligible = eligibleWeights(split(record), all);
        const total = [...eligible.values()].reduce((sum, weight) => sum + weight, 0);
        const credits: Credits = new Map();
        // The pattern repeats after one round, so any window of that length has the exact shares.
        for (let index = 0; index < skipped; index++) take(eligible, credits);
        const round = Array.from({ length: total }, () => take(eligible, credits));
        expect(counts(round)).toEqual(Object.fromEntries(eligible));
      }),
    );
  });

  it("are spread evenly: nobody is ever further from its due than one request for each other version", () => {
    const eligible = new Map([
      ["1", 90],
      ["2", 10],
    ]);
    const credits: Credits = new Map();
    let second = 0;
    for (let index = 1; index <= 1000; index++) {
      if (take(eligible, credits) === "2") second += 1;
      expect(Math.abs(second - index / 10)).toBeLessThanOrEqual(1);
    }
    expect(second).toBe(100);
  });

  it("are only looked at by a peek", () => {
    const eligible = new Map([
      ["1", 1],
      ["2", 1],
    ]);
    const credits: Credits = new Map();
    expect([versionInTurn(eligible, credits), versionInTurn(eligible, credits)]).toEqual(["1", "1"]);
    expect([take(eligible, credits), take(eligible, credits)]).toEqual(["1", "2"]);
  });

  it("of a version that went are the others', and it saves none up for its return", () => {
    const record = { "1": 3, "2": 1 };
    const credits: Credits = new Map();
    const both = eligibleWeights(split(record), all);
    const alone = eligibleWeights(split(record), (version) => version === "1");
    for (let index = 0; index < 100; index++) expect(take(alone, credits)).toBe("1");
    expect(counts(Array.from({ length: 40 }, () => take(both, credits)))).toEqual({ "1": 30, "2": 10 });
  });

  it("are still the weights when requests that were looked at together are counted one by one", () => {
    const eligible = new Map([
      ["1", 2],
      ["2", 3],
    ]);
    const credits: Credits = new Map();
    const seen: string[] = [];
    for (let round = 0; round < 100; round++) {
      const peeked = Array.from({ length: 5 }, () => versionInTurn(eligible, credits) ?? "");
      for (const version of peeked) countTurn(eligible, credits, version);
      seen.push(...peeked);
    }
    const { "1": one = 0, "2": two = 0 } = counts(seen);
    expect(Math.abs(one - 200) + Math.abs(two - 300)).toBeLessThanOrEqual(20);
  });

  it("are nobody's when every weight is 0 or nobody serves", () => {
    expect(versionInTurn(eligibleWeights(split({ "1": 0 }), all), new Map())).toBeUndefined();
    expect(
      versionInTurn(
        eligibleWeights(split({ "1": 5 }), () => false),
        new Map(),
      ),
    ).toBeUndefined();
  });
});

describe("a key", () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `user-${index}`);

  it("always leads to the same version", () => {
    fc.assert(
      fc.property(weights, fc.string(), (record, key) => {
        const eligible = eligibleWeights(split(record), all);
        const reversed = new Map([...eligible].reverse());
        expect(versionOfKey(reversed, key)).toBe(versionOfKey(eligible, key));
      }),
    );
  });

  it("leads to each version about as often as its weight says", () => {
    const eligible = new Map([
      ["1", 90],
      ["2", 10],
    ]);
    const second = keys.filter((key) => versionOfKey(eligible, key) === "2").length;
    expect(second / keys.length).toBeGreaterThan(0.08);
    expect(second / keys.length).toBeLessThan(0.12);
  });

  it("moves only to the version whose weight grew, and only away from one that shrank", () => {
    const before = new Map([
      ["1", 50],
      ["2", 30],
      ["3", 20],
    ]);
    for (const [version, weight] of [
      ["3", 40],
      ["2", 5],
    ] as const) {
      const after = new Map(before).set(version, weight);
      const moved = keys.filter((key) => versionOfKey(before, key) !== versionOfKey(after, key));
      expect(moved.length).toBeGreaterThan(0);
      const grew = weight > (before.get(version) ?? 0);
      for (const key of moved) expect(versionOfKey(grew ? after : before, key)).toBe(version);
    }
  });

  it("of other versions stays when a version goes", () => {
    const before = new Map([
      ["1", 1],
      ["2", 1],
      ["3", 1],
    ]);
    const after = new Map([...before].filter(([version]) => version !== "2"));
    for (const key of keys) {
      const was = versionOfKey(before, key);
      if (was !== "2") expect(versionOfKey(after, key)).toBe(was);
    }
  });
});

describe("sharesOf()", () => {
  it("adds up to 1", () => {
    expect(
      Object.fromEntries(
        sharesOf(
          new Map([
            ["1", 3],
            ["2", 1],
          ]),
        ),
      ),
    ).toEqual({ "1": 0.75, "2": 0.25 });
    expect(sharesOf(new Map()).size).toBe(0);
  });
});
