import { expect, it } from "vitest";
import { begin } from "./decide-rollout.ts";
import { beginStep, noEvidence } from "./evidence.ts";
import { foldSecond } from "./fold-second.ts";
import { judgeGates } from "./gates/judge-gate.ts";
import { rolloutSpec } from "./rollout-spec.ts";
import { verdictOf } from "./verdict.ts";

const spec = rolloutSpec.parse({
  model: "m",
  baseline: "1",
  candidate: "2",
  steps: [
    { percent: 1, seconds: 1, requests: 0 },
    { percent: 50, seconds: 1, requests: 0 },
  ],
  gates: [
    { kind: "errors", margin: 0 },
    { kind: "error-limit", share: 0.1 },
    { kind: "memory", share: 0.9 },
  ],
});

/** Ten seconds of the first step with so many requests a second of each version. */
function afterStep(baseline: number, candidate: number) {
  const of = (requests: number) => ({ requests, failed: 0, queueNs: 0, latency: [] });
  let evidence = beginStep(noEvidence(0, 1), 0);
  for (let t = 1; t <= 10; t += 1) {
    const second = { t, baseline: of(baseline), candidate: of(candidate), memoryShare: 0.5, gpus: [] };
    evidence = foldSecond(spec, evidence, second);
  }
  return evidence;
}

it("a candidate that got no requests was promoted as one which no gate found worse", () => {
  const evidence = afterStep(10, 0);
  const state = { kind: "promoted" as const, since: 0 };
  expect(verdictOf({ spec, state, evidence })).toBe(
    "Promoted after 0 requests to version 2, which no gate found worse, but too little was measured for errors, error-limit",
  );
  expect(begin(spec, { evidence, nowMs: 0 }, 1).says).toBe(
    "Step 2 of 2: 50 % to version 2; in step 1 too little was measured for errors, error-limit",
  );
  expect(begin(spec, { evidence, nowMs: 0 }, 2).says).toBe(
    "Nothing speaks against version 2, but too little was measured for errors, error-limit; it gets all requests",
  );
});

it("a gate with nothing to compare with was said to hold", () => {
  const evidence = afterStep(0, 10);
  expect(judgeGates(spec, evidence).map(({ id, verdict }) => [id, verdict])).toEqual([
    ["errors", "waiting"],
    ["error-limit", "holds"],
    ["memory", "holds"],
  ]);
  expect(begin(spec, { evidence, nowMs: 0 }, 1).says).toContain("in step 1 too little was measured for errors");
});

it("names no gate that weighed something", () => {
  const evidence = afterStep(10, 10);
  const state = { kind: "promoted" as const, since: 0 };
  expect(verdictOf({ spec, state, evidence })).toMatch(/which no gate found worse$/);
  expect(begin(spec, { evidence, nowMs: 0 }, 1).says).toBe("Step 2 of 2: 50 % to version 2");
});
