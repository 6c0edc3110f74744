import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideDynamic, decideSingle, type Waiting } from "./decide-batch.ts";
import type { BatchPolicy } from "./policy.ts";

const MS = 1e6;

const view = (waiting: readonly Waiting[]) => ({ at: (index: number) => waiting[index] });
const queue = (...sizes: number[]) => view(sizes.map((batchSize) => ({ batchSize, shapeKey: "", enqueuedNs: 0 })));
const policy = (overrides: Partial<BatchPolicy> = {}): BatchPolicy => ({
  maxBatchSize: 8,
  preferredBatchSizes: [8],
  maxQueueDelayNs: 0,
  ...overrides,
});

describe("decideDynamic()", () => {
  it("does nothing for an empty queue", () => {
    expect(decideDynamic(policy())(queue(), 0)).toEqual({ action: "none" });
  });

  it("without a delay sends what is there", () => {
    expect(decideDynamic(policy())(queue(1, 1, 1), 0)).toMatchObject({ action: "send", count: 3 });
  });

  it("with a delay lets a lone request wait until the delay is over", () => {
    const decide = decideDynamic(policy({ maxQueueDelayNs: 2 * MS }));
    expect(decide(queue(1), 1 * MS)).toEqual({ action: "wait", untilNs: 2 * MS });
    expect(decide(queue(1), 2 * MS)).toMatchObject({ action: "send", count: 1 });
  });

  it("sends a preferred size at once and prefers the largest one", () => {
    const decide = decideDynamic(policy({ preferredBatchSizes: [2, 4], maxQueueDelayNs: 5 * MS }));
    expect(decide(queue(1, 1), 0)).toMatchObject({ action: "send", count: 2 });
    expect(decide(queue(1, 1, 1), 0)).toMatchObject({ action: "send", count: 2 });
    expect(decide(queue(1, 1, 1, 1, 1), 0)).toMatchObject({ action: "send", count: 4 });
  });

  it("sends a request that is larger than preferred alone", () => {
    const decide = decideDynamic(policy({ preferredBatchSizes: [4], maxQueueDelayNs: 5 * MS }));
    expect(decide(queue(6), 0)).toMatchObject({ action: "send", count: 1 });
    expect(decide(queue(3, 2), 0)).toMatchObject({ action: "send", count: 1 });
  });

  it("does not reach over a request of another shape", () => {
    const mixed = view([
      { batchSize: 1, shapeKey: "16", enqueuedNs: 0 },
      { batchSize: 1, shapeKey: "32", enqueuedNs: 0 },
      { batchSize: 1, shapeKey: "16", enqueuedNs: 0 },
    ]);
    expect(decideDynamic(policy({ maxQueueDelayNs: 5 * MS }))(mixed, 0)).toMatchObject({ action: "send", count: 1 });
  });

  it("batches nothing for a model without a batch dimension", () => {
    const decide = decideDynamic(policy({ maxBatchSize: 0, preferredBatchSizes: [] }));
    expect(decide(queue(1, 1), 0)).toMatchObject({ action: "send", count: 1 });
  });
});

describe("the reason of a batch", () => {
  const at = (ages: readonly number[], sizes: readonly number[], shapes: readonly string[] = []) =>
    view(sizes.map((batchSize, i) => ({ batchSize, shapeKey: shapes[i] ?? "", enqueuedNs: 10 * MS - (ages[i] ?? 0) })));
  const delayed = policy({ preferredBatchSizes: [4], maxQueueDelayNs: 5 * MS });

  it.each([
    ["single", policy({ maxBatchSize: 0, preferredBatchSizes: [] }), at([], [1, 1])],
    ["full", policy(), at([], [4, 4, 1])],
    ["full", delayed, at([], [1, 1, 1, 1])],
    ["preferred", policy({ preferredBatchSizes: [2, 4], maxQueueDelayNs: 5 * MS }), at([], [1, 1, 1])],
    ["no-delay", policy(), at([], [1, 1])],
    ["delay-over", delayed, at([5 * MS], [1, 1])],
    ["other-shape", policy(), at([], [1, 1], ["16", "32"])],
    ["next-too-large", delayed, at([], [3, 2])],
    ["next-too-large", delayed, at([5 * MS], [3, 6])],
  ] as const)("is %s", (reason, rules, waiting) => {
    expect(decideDynamic(rules)(waiting, 10 * MS)).toMatchObject({ action: "send", reason });
  });

  it("counts the delay from the oldest request of the batch, which is not the first where levels differ", () => {
    const decide = decideDynamic(policy({ maxQueueDelayNs: 5 * MS }));
    expect(decide(at([1 * MS, 5 * MS], [1, 1]), 10 * MS)).toMatchObject({ action: "send", count: 2 });
    expect(decide(at([1 * MS, 4 * MS], [1, 1]), 10 * MS)).toEqual({ action: "wait", untilNs: 11 * MS });
  });
});

describe("a delay that ends at a fraction of a nanosecond", () => {
  it("is over at the moment it was said to end (the simulator's alarm rang for ever)", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.double({ min: 0.1, max: 1e9, noNaN: true }),
        (at, delay) => {
          const decide = decideDynamic(policy({ maxQueueDelayNs: delay }));
          const waiting = view([{ batchSize: 1, shapeKey: "", enqueuedNs: at }]);
          expect(decide(waiting, at + delay)).toMatchObject({ action: "send", reason: "delay-over" });
        },
      ),
    );
  });
});

describe("decideSingle()", () => {
  it("sends one request at a time", () => {
    expect(decideSingle(queue(2, 1), 0)).toMatchObject({ action: "send", count: 1 });
    expect(decideSingle(queue(), 0)).toEqual({ action: "none" });
  });
});

const waitingArbitrary = (largest: number) =>
  fc.array(
    fc.record({
      batchSize: fc.integer({ min: 0, max: largest }),
      shapeKey: fc.constantFrom("", "", "", "16", "32"),
      enqueuedNs: fc.integer({ min: 0, max: 10 * MS }),
    }),
    { minLength: 1, maxLength: 60 },
  );

const caseArbitrary = fc.integer({ min: 1, max: 32 }).chain((maxBatchSize) =>
  fc.record({
    policy: fc.record({
      maxBatchSize: fc.constant(maxBatchSize),
      preferredBatchSizes: fc
        .uniqueArray(fc.integer({ min: 1, max: maxBatchSize }), { maxLength: 4 })
        .map((sizes) => sizes.sort((a, b) => a - b)),
      maxQueueDelayNs: fc.constantFrom(0, 1, 100_000, 5 * MS),
    }),
    waiting: waitingArbitrary(maxBatchSize).map((items) => [...items].sort((a, b) => a.enqueuedNs - b.enqueuedNs)),
    now: fc.integer({ min: 0, max: 30 * MS }),
  }),
);

describe("every decision of the dynamic batcher", () => {
  it("never exceeds the largest batch, never mixes shapes, never sends nothing", () => {
    fc.assert(
      fc.property(caseArbitrary, ({ policy: rules, waiting, now }) => {
        const decision = decideDynamic(rules)(view(waiting), now);
        if (decision.action !== "send") return;
        const batch = waiting.slice(0, decision.count);
        expect(batch.length).toBe(decision.count);
        expect(decision.count).toBeGreaterThan(0);
        expect(new Set(batch.map(({ shapeKey }) => shapeKey)).size).toBe(1);
        const total = batch.reduce((sum, { batchSize }) => sum + Math.max(1, batchSize), 0);
        expect(total <= rules.maxBatchSize || decision.count === 1).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("never lets the oldest request wait beyond the delay, and never says wait for a moment that has passed", () => {
    fc.assert(
      fc.property(caseArbitrary, ({ policy: rules, waiting, now }) => {
        const decision = decideDynamic(rules)(view(waiting), now);
        const age = now - (waiting[0]?.enqueuedNs ?? 0);
        if (rules.maxQueueDelayNs === 0 || age >= rules.maxQueueDelayNs) expect(decision.action).toBe("send");
        if (decision.action === "wait") {
          expect(decision.untilNs).toBeGreaterThan(now);
          expect(decision.untilNs).toBe((waiting[0]?.enqueuedNs ?? 0) + rules.maxQueueDelayNs);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("answers every request exactly once and in order when it is asked again and again", () => {
    fc.assert(
      fc.property(caseArbitrary, ({ policy: rules, waiting }) => {
        const decide = decideDynamic(rules);
        const sent: Waiting[] = [];
        let left = [...waiting];
        let now = 0;
        for (let turn = 0; left.length > 0 && turn < 200; turn++) {
          const decision = decide(view(left), now);
          if (decision.action === "wait") now = decision.untilNs;
          if (decision.action === "send") {
            sent.push(...left.slice(0, decision.count));
            left = left.slice(decision.count);
          }
        }
        expect(sent).toEqual(waiting);
      }),
      { numRuns: 500 },
    );
  });
});
