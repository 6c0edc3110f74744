import { z } from "zod";
import { modelName, versionNumber } from "../../models/model-name.ts";

/** What can be wanted or limited, in Model Analyzer's names; `goodput` is answers a second within `goodWithinMs`. */
const metric = z.enum([
  "perf_throughput",
  "goodput",
  "perf_latency_avg",
  "perf_latency_p90",
  "perf_latency_p95",
  "perf_latency_p99",
  "gpu_used_memory",
  "gpu_utilization",
  "gpu_power_usage",
  "cpu_used_ram",
  "cpu_used_share",
]);

const count = (most: number) => z.int().min(1).max(most);
const levels = (most: number) => z.array(z.number().gt(0).max(most)).min(1).max(30);
const many = <T extends z.ZodType>(value: T) => z.array(value).min(1).max(20);

const load = z.discriminatedUnion("kind", [
  /** Requests in flight. */
  z.object({ kind: z.literal("concurrency"), levels: z.array(count(4096)).min(1).max(30) }),
  /** Requests a second, at random moments. */
  z.object({ kind: z.literal("rate"), levels: levels(1_000_000) }),
  /** Requests as they came; a level is how many times as fast. */
  z.object({
    kind: z.literal("recorded"),
    source: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("server"), seconds: count(900) }),
      z.object({ kind: z.literal("given"), offsetsMs: z.array(z.number().min(0)).min(2).max(200_000) }),
    ]),
    levels: levels(1000),
  }),
]);

/** What is tried of each; null = as the model is configured. */
const space = z.object({
  instances: many(count(256)),
  maxBatchSizes: many(z.int().min(0).max(4096)),
  queueDelaysUs: many(z.int().min(0).max(60_000_000).nullable()),
  preferred: many(z.array(count(4096)).max(16)).default([[]]),
  threads: many(count(256).nullable()).default([null]),
  accelerators: many(z.string().min(1).max(100).nullable()).default([null]),
});

const limit = z.number().min(0).max(1e12).nullable();

/** A search for better settings of a model, all of it measured beside the one that serves. */
export const tuningSpec = z.object({
  model: modelName,
  version: versionNumber.nullable().default(null),
  protocol: z.enum(["http", "grpc"]).default("http"),
  load,
  /** Items of a request. */
  requestBatches: many(count(4096)).default([1]),
  space,
  mode: z.enum(["simulated", "brute", "quick", "optimiser"]).default("simulated"),
  objectives: z
    .array(z.object({ metric, weight: z.number().gt(0).max(1000) }))
    .min(1)
    .max(5)
    .default([{ metric: "goodput", weight: 1 }]),
  /** Latencies in milliseconds, memory in megabytes. */
  constraints: z
    .array(z.object({ metric, min: limit, max: limit }))
    .max(10)
    .default([]),
  goodWithinMs: z.number().min(0.01).max(3_600_000).nullable().default(null),
  budget: z
    .object({ measurements: count(10_000).nullable(), seconds: count(604_800).nullable() })
    .default({ measurements: null, seconds: null }),
  measureSeconds: z.number().min(0.1).max(3600).default(5),
  guard: z
    .object({
      liveP99Ms: z.number().min(0.01).max(3_600_000).nullable(),
      freeMemoryMb: z.number().min(0).max(10_000_000),
      busyShare: z.number().min(0.05).max(1),
    })
    .default({ liveP99Ms: null, freeMemoryMb: 256, busyShare: 0.95 }),
  shapes: z.record(z.string().min(1).max(255), z.array(count(1_000_000_000)).max(16)).default({}),
  seed: z.int().min(0).max(4_294_967_295).default(1),
});
