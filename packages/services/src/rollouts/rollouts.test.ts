import { describe, expect, it } from "vitest";
import { type RolloutGate, rolloutSpec } from "./rollout-spec.ts";
import { lognormalMs, simulateRollout, type World } from "./testing/simulate-rollout.ts";

const STEPS = [1, 5, 25, 50, 100].map((percent) => ({ percent, seconds: 30, requests: percent === 100 ? 0 : 20 }));
/** Without any allowance, so that two equal versions stand exactly on the edge of what is allowed. */
const STRICT: readonly RolloutGate[] = [
  { kind: "latency", quantile: 0.99, ratio: 1, slackMs: 0 },
  { kind: "latency", quantile: 0.5, ratio: 1, slackMs: 0 },
  { kind: "errors", margin: 0 },
  { kind: "goodput", latencyMs: 25, margin: 0 },
  { kind: "queue", ratio: 1, slackMs: 0 },
  { kind: "retries" },
];
const strict = rolloutSpec.parse({ model: "m", baseline: "1", candidate: "2", steps: STEPS, gates: STRICT });
const usual = rolloutSpec.parse({
  model: "m",
  baseline: "1",
  candidate: "2",
  steps: STEPS,
  gates: [
    { kind: "latency", quantile: 0.99, ratio: 1.1 },
    { kind: "latency", quantile: 0.5, ratio: 1.1 },
    { kind: "errors", margin: 0.001 },
    { kind: "queue", ratio: 2, slackMs: 5 },
    { kind: "retries" },
  ],
});

const EQUAL: World = {
  rate: 60,
  latencyMs: (random) => lognormalMs(random),
  failureShare: () => 0.005,
  queueMs: (random) => 4 * random(),
};
const RUNS = 1_000;
/** Not those that the constants of the tests were chosen with. */
const FIRST_SEED = 2_000_001;

function sentBack(spec: typeof usual, world: World, runs = RUNS): number {
  let count = 0;
  for (let run = 0; run < runs; run += 1) {
    if (simulateRollout(spec, world, FIRST_SEED + run).state.kind !== "promoted") count += 1;
  }
  return count;
}

describe("an equal candidate", () => {
  it("is sent back in at most 1 % of 1,000 rollouts, even where nothing at all is allowed for", () => {
    const count = sentBack(strict, EQUAL);
    console.info(`A/A without allowance: ${count} of ${RUNS} sent back`);
    expect(count).toBeLessThanOrEqual(RUNS / 100);
  }, 120_000);

  it("is sent back in at most 1 % of 1,000 rollouts while both versions stall now and then", () => {
    const count = sentBack(usual, { ...EQUAL, stalls: 0.03 });
    console.info(`A/A with stalls: ${count} of ${RUNS} sent back`);
    expect(count).toBeLessThanOrEqual(RUNS / 100);
  }, 120_000);
});

it("a baseline that is quicker with less to do hid a slower candidate: its quantiles of earlier steps were old", () => {
  const latencyMs: World["latencyMs"] = (random, version) => lognormalMs(random, version === "candidate" ? 1.3 : 1);
  const spec = { ...usual, steps: usual.steps.filter(({ percent }) => percent >= 50) };
  let candidates = 0;
  const crowded: World = {
    ...EQUAL,
    // The first seconds are those of the rehearsal, in which the baseline has all requests and a queue.
    latencyMs: (random, version) => {
      if (version === "candidate") candidates += 1;
      return latencyMs(random, version) * (candidates === 0 ? 1.4 : 1);
    },
  };
  expect(simulateRollout(spec, crowded, 1).state.kind).toBe("rolled-back");
});

it("an equal candidate of a model that answers in half a millisecond was sent back: few requests keep no process warm", () => {
  const spec = rolloutSpec.parse({ model: "m", baseline: "1", candidate: "2", steps: STEPS });
  const gates = spec.gates.filter(({ kind }) => kind !== "memory" && kind !== "gpu" && kind !== "outputs");
  const fast: World = {
    ...EQUAL,
    latencyMs: (random, version) => lognormalMs(random, 0.05) + (version === "candidate" ? 0.3 + 0.5 * random() : 0),
  };
  expect(sentBack({ ...spec, gates }, fast, 20)).toBe(0);
  const slow: World = { ...EQUAL, latencyMs: (random, version) => fast.latencyMs(random, version) * 8 };
  expect(sentBack({ ...spec, gates }, slow, 20)).toBe(20);
});

describe("a candidate that is worse", () => {
  it.each<[string, Partial<World>, string]>([
    [
      "30 % slower",
      { latencyMs: (random, version) => lognormalMs(random, version === "candidate" ? 1.3 : 1) },
      "latency",
    ],
    ["failing in 5 %", { failureShare: (version) => (version === "candidate" ? 0.05 : 0.005) }, "errors"],
  ])(
    "%s is always sent back by its gate",
    (name, world, gate) => {
      const runs = Array.from({ length: 100 }, (_, seed) =>
        simulateRollout(usual, { ...EQUAL, ...world }, FIRST_SEED + seed),
      );
      expect(runs.filter(({ state }) => state.kind === "rolled-back")).toHaveLength(100);
      for (const { state } of runs) {
        if (state.kind !== "rolled-back" || state.cause.kind !== "gate") throw new Error("sent back by no gate");
        expect(state.cause.gate).toContain(gate);
      }
      const requests = runs.map(({ requests: count }) => count).toSorted((a, b) => a - b);
      console.info(
        `${name}: after ${requests[50]} requests of the candidate in the middle, ${requests[98]} at most in 99 %`,
      );
      const [first] = runs;
      if (first?.state.kind === "rolled-back") console.info(first.state.cause.says);
    },
    60_000,
  );
});
