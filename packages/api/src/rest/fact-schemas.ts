import { z } from "zod";
import { graph, object } from "./schemas.ts";

const count = z.number();
const queuePolicy = {
  maxQueueSize: count,
  timeoutUs: count.describe("Microseconds; 0 = none"),
  allowTimeoutOverride: z.boolean(),
  timeoutAction: z.enum(["REJECT", "DELAY"]),
};
const pairs = z.array(z.tuple([z.number(), z.number()]));

const instanceFacts = object({
  index: count.describe("Number among those of the version, from 0"),
  phase: z.enum(["serving", "draining", "drained", "restarting", "down"]),
  name: z.string(),
  kind: z.enum(["KIND_CPU", "KIND_GPU", "KIND_MODEL"]),
  device: count,
  passive: z.boolean(),
  executions: count,
  inFlight: count,
  busySeconds: count,
  busyShare10: count.describe("Share of the last 10 s it was executing, 0 to 1"),
  busyShare60: count,
});

export const operatedInstance = object({ version: z.string(), instance: instanceFacts });

const simulationFigures = object({
  p50Ns: count.nullable(),
  p99Ns: count.nullable(),
  requestsPerSecond: count,
  itemsPerSecond: count,
  meanBatch: count.nullable(),
  busy: count,
  unanswered: count,
});
const simulationSetting = object({
  instances: count,
  maxBatchSize: count,
  preferredBatchSizes: z.array(count),
  maxQueueDelayUs: count,
});

export const simulation = object({
  version: z.string(),
  arrivals: count,
  isWhole: z.boolean(),
  spanSeconds: count,
  setting: object({ present: simulationSetting, proposed: simulationSetting }),
  measured: simulationFigures,
  present: simulationFigures,
  proposed: simulationFigures,
  curve: z.array(object({ batchSize: count, ns: count, executions: count, source: z.enum(["recent", "load"]) })),
  unmeasured: z.array(object({ batchSize: count, batches: count, kind: z.enum(["between", "beyond"]) })),
  tooLarge: count,
});

const versionBatching = object({
  version: z.string(),
  scheduler: z.enum(["default", "dynamic", "sequence", "ensemble"]),
  maxBatchSize: count,
  preferredBatchSizes: z.array(count),
  maxQueueDelayUs: count,
  priorityLevels: count,
  defaultPolicy: object(queuePolicy),
  policies: z.array(object({ level: count, ...queuePolicy })),
  executions: count,
  inferences: count,
  batchSizes: pairs.describe("Executions by batch size"),
  closed: z.record(z.string(), count).describe("Batches by what closed them"),
  wait: pairs.describe("Requests by latency bucket of their wait before the batch"),
  waitBins: z.array(object({ fromUs: count, toUs: count.nullable(), requests: count })),
  refusals: z.array(object({ level: count, rejected: count, timedOut: count, cancelled: count, other: count })),
  pending: count,
  instances: z.array(instanceFacts),
  runner: object({
    pid: count,
    restarts: count,
    threads: count.optional(),
    rssBytes: count.optional(),
    peakBytes: count.optional(),
  }).optional(),
});

export const modelBatching = object({
  versions: z.array(versionBatching),
  seconds: z.array(
    object({
      t: count,
      executions: count,
      inferences: count,
      refused: count,
      pending: count,
      busy: count.nullable(),
      batchSizes: pairs,
      closed: z.record(z.string(), count),
    }),
  ),
});

export const modelShapes = object({
  versions: z.array(
    object({
      version: z.string(),
      maxBatchSize: count,
      inputs: z.array(object({ name: z.string(), datatype: z.string(), dims: z.array(count), ragged: z.boolean() })),
      rows: z.array(
        object({
          inputs: z.array(object({ name: z.string(), shape: z.array(count) })),
          count,
          meanNs: count,
          p99Ns: count,
          firstSeenMs: count,
          lastSeenMs: count,
          alone: count,
          cutShort: count,
        }),
      ),
      otherRequests: count,
      otherShapes: count,
    }),
  ),
});

const bytes = z.number().optional();

export const modelMemory = object({
  loads: z.array(
    object({
      version: z.string(),
      atMs: count,
      seconds: z.number().optional(),
      beforeBytes: bytes,
      loadedBytes: bytes,
      peakBytes: bytes,
      currentBytes: bytes,
      afterUnloadBytes: bytes,
    }),
  ),
  estimates: z.array(object({ version: z.string(), fileBytes: count, bytes: count })),
  holders: z.array(object({ model: z.string(), version: z.string(), bytes: count })),
  serverBytes: count,
  budgetBytes: bytes,
});

export const modelGraph = object({
  backend: z.string(),
  versions: z.array(
    object({
      version: z.string(),
      ready: z.boolean(),
      bytes: count,
      graph: graph.nullable(),
      placement: z.record(z.string(), count).nullable(),
    }),
  ),
  why: z.string().nullable(),
  unprofilable: z.string().nullable(),
});

const level = z.enum(["debug", "info", "warn", "error"]);

export const logAnswer = object({
  lines: z.array(
    object({
      id: count,
      atMs: count,
      level,
      source: z.enum(["runner", "model", "request", "access"]),
      model: z.string(),
      version: z.string(),
      instance: z.string(),
      requestId: z.string(),
      text: z.string(),
    }),
  ),
  next: count.describe("Go on after this id"),
  gap: z.boolean(),
});
