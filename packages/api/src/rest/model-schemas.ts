import { z } from "zod";
import {
  diagnostic,
  file,
  graph,
  moment,
  nullableNumber,
  nullableText,
  object,
  tensor,
  versionState,
  warning,
} from "./schemas.ts";

const instance = object({
  name: z.string(),
  kind: z.enum(["KIND_CPU", "KIND_GPU", "KIND_MODEL"]),
  device: z.number(),
  busy: z.boolean(),
  executions: z.number(),
  passive: z.boolean(),
  inFlight: z.number(),
  busySeconds: z.number(),
  busyShare: z.number(),
});

const memory = object({
  beforeBytes: z.number().optional(),
  loadedBytes: z.number().optional(),
  peakBytes: z.number().optional(),
  currentBytes: z.number().optional(),
});

const versionStatus = object({
  version: z.string(),
  state: versionState,
  reason: z.string(),
  ready: z.boolean(),
  pending: z.number(),
  instances: z.array(instance),
  queued: z.number(),
  runner: object({ pid: z.number(), restarts: z.number(), memory }).optional(),
  loadSeconds: z.number().optional(),
});

const trafficStatus = object({
  weights: z.record(z.string(), z.number()),
  stickyHeader: z.string().optional(),
  shares: z.record(z.string(), z.number()),
});

export const traffic = object({ traffic: trafficStatus.nullable() });
export const trafficChange = traffic.extend({ warnings: z.array(warning) });

const loadInProgress = object({
  version: z.string(),
  stage: z.enum(["queued", "reading", "memory", "starting", "loading", "instances", "warm-up"]),
  sinceMs: z.number(),
  elapsedMs: z.number(),
});

const operatorTime = object({
  operator: z.string(),
  provider: z.string(),
  calls: z.number(),
  totalUs: z.number().describe("Microseconds"),
});

export const modelProfile = object({
  id: z.string(),
  model: z.string(),
  version: z.string(),
  seconds: z.number(),
  runs: z.number().describe("Executions that were measured; each may have been a batch of requests"),
  totalUs: z.number().describe("Of the executions as a whole, microseconds"),
  operators: z.array(operatorTime).describe("The costliest first"),
  nodes: z.array(operatorTime.extend({ node: z.string() })).describe("Those that took most, at most twenty"),
  note: z.string().optional(),
});

export const traceEvents = z.array(z.record(z.string(), z.unknown()));

export const cancelledLoads = object({ cancelled: z.number() });

export const modelStatus = object({
  name: z.string(),
  inRepository: z.boolean(),
  platform: z.string(),
  backend: z.string(),
  maxBatchSize: z.number(),
  scheduler: z.enum(["default", "dynamic", "sequence", "ensemble", "unknown"]),
  versions: z.array(versionStatus),
  warnings: z.array(warning),
  pinned: z.array(z.string()).nullable(),
  lastLoadError: z.string(),
  traffic: trafficStatus.nullable().optional(),
  loading: z.array(loadInProgress).optional(),
  wantedBy: z.enum(["nobody", "person", "ensemble", "request"]).optional(),
  candidateOf: z.string().nullable().optional().describe("The model it is a candidate of"),
});

const signature = z.array(object({ name: z.string(), datatype: z.string(), shape: z.array(z.number()) }));

export const modelDetail = object({
  status: modelStatus,
  signature: object({ inputs: signature, outputs: signature }).nullable(),
});

const change = object({
  kind: z.enum(["none", "in-place", "reload", "not-loaded"]),
  fields: z.array(z.string()),
});

export const configState = object({
  text: z.string(),
  digest: z.string(),
  exists: z.boolean(),
  effective: nullableText,
  graph,
  historyId: nullableText,
});

export const configCheck = object({ diagnostics: z.array(diagnostic), effective: nullableText, change });

export const configApplied = object({
  digest: z.string(),
  change,
  warnings: z.array(warning),
  historyId: z.string(),
});

const historyEntry = object({
  id: z.string(),
  at: moment,
  authorName: z.string(),
  reason: nullableText,
  digest: z.string(),
  source: z.enum(["apply", "restore", "deploy", "found"]),
  restoredFrom: nullableText,
});

export const configHistory = object({ entries: z.array(historyEntry), nextCursor: nullableText });
export const configEntry = historyEntry.extend({ text: z.string() });

export const versionRow = object({
  version: z.string(),
  digest: z.string(),
  bytes: z.number(),
  createdAtMs: z.number(),
  files: z.array(file),
  graph,
  state: versionState,
  reason: z.string(),
  ready: z.boolean(),
  pinned: z.boolean(),
  servedByPolicy: z.boolean().nullable(),
  author: nullableText,
  note: nullableText,
  traffic: object({ requestsPerSecond: nullableNumber, p99Ms: nullableNumber, errorsShare: nullableNumber }),
});

export const rolledBack = object({
  from: z.array(z.string()),
  to: z.string(),
  undo: z.array(z.string()).nullable(),
  warnings: z.array(warning),
});

const latency = object({ p50: nullableNumber, p99: nullableNumber, count: z.number() });

export const versionComparison = object({
  a: versionRow,
  b: versionRow,
  signature: z.array(
    object({
      tensor: z.string(),
      side: z.enum(["input", "output"]),
      a: tensor.nullable(),
      b: tensor.nullable(),
    }),
  ),
  files: z.array(object({ path: z.string(), a: file.nullable(), b: file.nullable(), changed: z.boolean() })),
  latency: object({ a: latency, b: latency }),
});
