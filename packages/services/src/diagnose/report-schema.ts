import { z } from "zod";
import { thresholds } from "./thresholds.ts";
import { SYMPTOMS } from "./trees.ts";
import { CAUSES, EVIDENCE_CHARTS } from "./verdict.ts";

const nullable = z.number().nullable();

const configChange = z.strictObject({
  path: z.string(),
  value: z.union([z.number(), z.array(z.number()), z.null()]),
});

const verdict = z.strictObject({
  cause: z.enum(CAUSES),
  title: z.string(),
  explanation: z.string(),
  confidence: z.number(),
  suggestion: z
    .strictObject({
      says: z.string(),
      effect: z.string(),
      edits: z.array(configChange),
      link: z.string().optional(),
    })
    .nullable(),
});

const step = z.strictObject({
  id: z.string(),
  question: z.string(),
  branch: z.string(),
  says: z.string(),
  evidence: z.array(z.strictObject({ label: z.string(), value: z.string(), bar: z.string().optional() })),
  chart: z.enum(EVIDENCE_CHARTS).optional(),
  overruled: z.string().nullable(),
  branches: z.array(z.strictObject({ id: z.string(), label: z.string() })),
});

/** A diagnosis as it is answered and kept. */
export const diagnosisReport = z.strictObject({
  symptom: z.enum(SYMPTOMS),
  title: z.string(),
  steps: z.array(step),
  verdict,
  model: z.string(),
  version: z.string().nullable(),
  node: z.string(),
  from: z.number(),
  to: z.number(),
  bars: thresholds,
  figures: z.strictObject({
    requests: z.number(),
    failureShare: z.number(),
    p50: nullable,
    p99: nullable,
    queue: nullable,
    infer: nullable,
    requestsPerSecond: z.number(),
  }),
  slow: z.array(z.number()),
  timeline: z.array(
    z.strictObject({
      t: z.number(),
      requests: z.number(),
      failed: z.number(),
      p99: nullable,
      infer: nullable,
      queue: nullable,
      pending: z.number(),
      meanBatch: nullable,
      neighbours: nullable,
      cpu: nullable,
      eventLoopLagMs: nullable,
    }),
  ),
});

export type DiagnosisReport = z.output<typeof diagnosisReport>;

/** A kept diagnosis. */
export const keptDiagnosis = z.strictObject({
  id: z.string(),
  atMs: z.number(),
  authorName: z.string(),
  report: diagnosisReport,
});

export type KeptDiagnosis = z.output<typeof keptDiagnosis>;
