import { ROLLOUT_COMMANDS, ROLLOUT_PHASES, rolloutEntry, rolloutSpec, rolloutState } from "@nereid/services";
import { z } from "zod";
import { nullableNumber, object } from "./schemas.ts";

const weights = z.record(z.string(), z.number()).nullable();

const summary = {
  id: z.string(),
  model: z.string(),
  node: z.string(),
  baseline: z.string(),
  candidate: z.string(),
  phase: z.enum(ROLLOUT_PHASES),
  active: z.boolean(),
  percent: nullableNumber,
  step: nullableNumber,
  steps: z.number(),
  verdict: z.string(),
  createdAtMs: z.number(),
  endedAtMs: nullableNumber,
  createdByName: z.string(),
  note: z.string(),
};

export const rolloutSummary = object(summary);

const gateReading = object({
  id: z.string(),
  kind: z.string(),
  verdict: z.enum(["refuted", "holds", "waiting"]),
  unit: z.enum(["ms", "share", "none"]),
  candidate: nullableNumber,
  baseline: nullableNumber,
  requests: z.number(),
  badShare: nullableNumber,
  low: nullableNumber,
  high: nullableNumber,
  allowedShare: nullableNumber,
  evidence: nullableNumber,
  needed: nullableNumber,
  says: z.string(),
});

export const rolloutView = object({
  ...summary,
  spec: rolloutSpec,
  state: rolloutState,
  attempt: z.number(),
  readings: z.array(
    object({
      step: z.number(),
      seconds: z.number(),
      candidateRequests: z.number(),
      baselineRequests: z.number(),
      gates: z.array(gateReading),
    }),
  ),
  history: z.array(rolloutEntry),
  commands: z.array(z.enum(ROLLOUT_COMMANDS)),
  wanted: weights,
  actual: weights,
});
