import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockLogEvidence, limitLogEvidence, meanLogEvidence, ODDS } from "./block-evidence.ts";
import { shareInterval } from "./share-interval.ts";

const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const count = fc.integer({ min: 1, max: 8 });
const odds = fc.constantFrom(...ODDS);

/** Probability of so many bad ones. */
function binomial(n: number, k: number, p: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i += 1) ways *= (n - k + i) / i;
  return ways * p ** k * (1 - p) ** (n - k);
}

const range = (n: number) => Array.from({ length: n + 1 }, (_, k) => k);

describe("the evidence of a block", () => {
  it("is at most 1 in the mean for every pair of shares that is allowed, whatever was expected", () => {
    fc.assert(
      fc.property(share, share, share, fc.double({ min: 0, max: 0.3, noNaN: true }), odds, count, count, (...given) => {
        const [b, part, expected, margin, factor, n, m] = given;
        const p = part * Math.min(0.999, b + margin);
        let mean = 0;
        for (const x of range(n)) {
          for (const y of range(m)) {
            const log = blockLogEvidence(
              { requests: n, bad: x },
              { requests: m, bad: y },
              { expected, margin, odds: factor },
            );
            mean += binomial(n, x, p) * binomial(m, y, b) * Math.exp(log);
          }
        }
        expect(mean).toBeLessThanOrEqual(1 + 1e-6);
      }),
      { numRuns: 500 },
    );
  });

  it("against a limit is at most 1 in the mean for every share up to it", () => {
    fc.assert(
      fc.property(share, share, odds, count, (limit, part, factor, n) => {
        const mean = range(n).reduce(
          (sum, x) =>
            sum + binomial(n, x, limit * part) * Math.exp(limitLogEvidence({ requests: n, bad: x }, limit, factor)),
          0,
        );
        expect(mean).toBeLessThanOrEqual(1 + 1e-6);
      }),
    );
  });

  it("grows with what is bad, and no block alone is worth more than two and a half", () => {
    const of = (bad: number) =>
      blockLogEvidence({ requests: 50, bad }, { requests: 50, bad: 1 }, { expected: 0.01, margin: 0, odds: 25 });
    expect(of(10)).toBeGreaterThan(of(0));
    expect(Math.exp(of(50))).toBeCloseTo(2.5);
  });

  it("of several guesses is their mean, also where it is great", () => {
    expect(Math.exp(meanLogEvidence([Math.log(1), Math.log(3)]))).toBeCloseTo(2);
    expect(meanLogEvidence([1_000, 0])).toBeCloseTo(1_000 - Math.log(2));
  });
});

describe("the interval of a share", () => {
  it("has what was seen in it, narrows with more requests, and is nothing without any", () => {
    expect(shareInterval({ requests: 0, bad: 0 })).toBeNull();
    const few = shareInterval({ requests: 20, bad: 2 });
    const many = shareInterval({ requests: 2_000, bad: 200 });
    if (few === null || many === null) throw new Error("no interval");
    for (const { low, high } of [few, many]) expect(low < 0.1 && high > 0.1).toBe(true);
    expect(many.high - many.low).toBeLessThan(few.high - few.low);
    expect(shareInterval({ requests: 100, bad: 0 })?.low).toBe(0);
  });

  it("holds at every moment of 95 % of the courses", () => {
    let random = 12_345;
    const next = () => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      return random / 2_147_483_648;
    };
    let broken = 0;
    for (let run = 0; run < 200; run += 1) {
      let bad = 0;
      for (let requests = 1; requests <= 300; requests += 1) {
        if (next() < 0.2) bad += 1;
        const bounds = shareInterval({ requests, bad });
        if (bounds !== null && (bounds.low > 0.2 || bounds.high < 0.2)) {
          broken += 1;
          break;
        }
      }
    }
    expect(broken).toBeLessThanOrEqual(10);
  });
});
