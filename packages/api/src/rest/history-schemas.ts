import { z } from "zod";
import { nullableNumber, object } from "./schemas.ts";

const pairs = z.array(z.tuple([z.number(), z.number()]));
const counts = z.record(z.string(), z.number());

const row = object({
  t: z.number(),
  seconds: z.number(),
  queue: nullableNumber,
  input: nullableNumber,
  infer: nullableNumber,
  output: nullableNumber,
  p50: nullableNumber,
  p95: nullableNumber,
  p99: nullableNumber,
  count: z.number(),
  failed: z.number(),
  pending: z.number(),
  pendingMost: z.number(),
  inferences: z.number(),
  executions: z.number(),
  good: nullableNumber,
  heat: pairs,
});

/** What was measured, step by step. Durations are milliseconds, times Unix seconds. */
export const modelHistory = object({
  step: z.number(),
  from: z.number(),
  to: z.number(),
  partialFrom: nullableNumber,
  source: z.enum(["own", "prometheus"]),
  series: z.array(object({ key: z.string(), rows: z.array(row) })),
  totals: object({
    count: z.number(),
    failed: z.number(),
    mean: nullableNumber,
    p50: nullableNumber,
    p95: nullableNumber,
    p99: nullableNumber,
    failures: counts,
    batchSizes: pairs,
    closed: counts,
  }),
  droppedSeries: z.number(),
});
