import { z } from "zod";

const nullableMs = z.number().nullable();

/** One moment of a load test, of one or of several seconds. Times are in milliseconds, rates a second. */
export const loadPoint = z.object({
  /** Seconds since the test began, at its end. */
  t: z.number(),
  /** Requests in flight, or a second that were due. */
  level: z.number(),
  /** Requests a second that were due; null in a closed loop. */
  offered: z.number().nullable(),
  throughput: z.number(),
  p50: nullableMs,
  p90: nullableMs,
  p99: nullableMs,
  failed: z.number(),
  /** Answered well and in time. */
  good: z.number(),
  /** Mean of a request on the server; null where it tells nothing. */
  serverQueueMs: nullableMs,
  serverComputeMs: nullableMs,
  /** Share of a processor of the busiest generator. */
  generatorCpu: z.number(),
});

export type LoadPoint = z.output<typeof loadPoint>;

/** How a load test stands. */
export const loadTestProgress = z.object({
  says: z.string(),
  /** Left out where nobody knows how many levels there will be. */
  share: z.number().optional(),
  level: z.number(),
  points: z.array(loadPoint),
});

export type LoadTestProgress = z.output<typeof loadTestProgress>;

/** Became of a threshold at a level. */
export const loadJudgement = z.object({ wanted: z.string(), measured: z.string(), holds: z.boolean() });

/** What was measured at one level. */
export const loadLevel = z.object({
  level: z.number(),
  offered: z.number().nullable(),
  /** Seconds that were measured. */
  seconds: z.number(),
  /** False where it was stopped before its end. */
  whole: z.boolean(),
  /** From when requests were due, by percentiles of a histogram (at most 3 % off). */
  client: z.object({
    answered: z.number(),
    failed: z.number(),
    /** Sent late by the generator's own fault. */
    late: z.number(),
    throughput: z.number(),
    /** Good answers a second, and their share of all that ended. */
    goodput: z.number(),
    goodShare: z.number(),
    averageMs: nullableMs,
    p50: nullableMs,
    p90: nullableMs,
    p95: nullableMs,
    p99: nullableMs,
    p999: nullableMs,
    maxMs: nullableMs,
  }),
  /** Means of a request; null where the server tells nothing. */
  server: z
    .object({
      queueMs: z.number(),
      computeInputMs: z.number(),
      computeInferMs: z.number(),
      computeOutputMs: z.number(),
      executions: z.number(),
      /** Inferences of an execution. */
      batchMean: z.number(),
    })
    .nullable(),
  generator: z.object({ cpu: z.number(), lagMs: z.number(), processes: z.number() }),
  warnings: z.array(z.string()),
  judgements: z.array(loadJudgement),
  /** Answers by latency: from, to (milliseconds, to excluded), count. */
  histogram: z.array(z.tuple([z.number(), z.number(), z.number()])),
  failure: z.string().nullable(),
});

export type LoadLevel = z.output<typeof loadLevel>;

/** What came of a load test. */
export const loadTestResult = z.object({
  says: z.string(),
  levels: z.array(loadLevel),
  /** The highest level that was good, where the test looked for it. */
  best: z.number().nullable(),
  /** Whether every threshold held at every level; null without thresholds. */
  holds: z.boolean().nullable(),
});

export type LoadTestResult = z.output<typeof loadTestResult>;
