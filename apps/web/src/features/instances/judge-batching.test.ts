import type { VersionBatching } from "@nereid/client";
import type { BatchingSecond } from "@nereid/services";
import { describe, expect, it } from "vitest";
import { judgeBatching } from "./judge-batching.ts";
import { factsOfSeconds, factsSinceLoad } from "./span-facts.ts";

const policy = { maxQueueSize: 0, timeoutUs: 0, allowTimeoutOverride: false, timeoutAction: "REJECT" } as const;
const version: VersionBatching = {
  version: "1",
  scheduler: "dynamic",
  maxBatchSize: 8,
  preferredBatchSizes: [8],
  maxQueueDelayUs: 5000,
  priorityLevels: 0,
  defaultPolicy: policy,
  policies: [],
  executions: 4,
  inferences: 8,
  batchSizes: [[2, 4]],
  closed: { "delay-over": 4 },
  wait: [],
  refusals: [{ level: 0, rejected: 1, timedOut: 2, cancelled: 3, other: 9 }],
  pending: 0,
  instances: [],
};

const second = (t: number, busy: number | null, closed: Record<string, number>): BatchingSecond => ({
  t,
  executions: 2,
  inferences: 4,
  refused: 1,
  pending: 0,
  busy,
  batchSizes: [[2, 2]],
  closed,
});

const verdict = (busy: number | null, closed: Record<string, number>) =>
  judgeBatching(version, factsOfSeconds([second(1, busy, closed)]), 3).kind;

describe("judgeBatching()", () => {
  it("blames what holds requests back, instances before shapes before the delay", () => {
    expect(verdict(0.95, { "delay-over": 5 })).toBe("instances");
    expect(verdict(0.2, { "other-shape": 6, "delay-over": 1 })).toBe("shapes");
    expect(verdict(0.2, { "delay-over": 5, full: 1 })).toBe("batcher");
    expect(verdict(0.2, { full: 5, "delay-over": 1 })).toBe("fine");
    expect(verdict(null, { full: 1 })).toBe("fine");
    expect(verdict(0.99, {})).toBe("quiet");
  });
});

describe("facts of a span", () => {
  it("are sums of its seconds, with the mean busy share of the seconds that tell it", () => {
    const facts = factsOfSeconds([
      second(1, 0.5, { full: 1 }),
      second(2, null, { full: 1, single: 4 }),
      second(3, 0.1, {}),
    ]);
    expect(facts).toMatchObject({ executions: 6, inferences: 12, refused: 3, sizes: [[2, 6]] });
    expect(facts.busy).toBeCloseTo(0.3);
    expect(facts.closed).toEqual([
      ["single", 4],
      ["full", 2],
    ]);
  });

  it("since the load leave out what nobody refused", () => {
    expect(factsSinceLoad(version)).toMatchObject({ refused: 6, busy: null });
  });
});
