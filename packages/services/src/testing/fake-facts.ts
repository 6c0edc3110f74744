import type { LogLine, MemoryFacts, ShadowStatus, Simulation, VersionBatching, VersionShapes } from "@nereid/client";

const AT_MS = Date.parse("2026-11-20T08:00:00Z");
const POLICY = { maxQueueSize: 0, timeoutUs: 0, allowTimeoutOverride: false, timeoutAction: "REJECT" } as const;

/** What a node remembers about a model, with every field that there can be. */
export const BATCHING: VersionBatching = {
  version: "1",
  scheduler: "dynamic",
  maxBatchSize: 8,
  preferredBatchSizes: [4],
  maxQueueDelayUs: 500,
  priorityLevels: 2,
  defaultPolicy: POLICY,
  policies: [{ level: 2, ...POLICY, maxQueueSize: 5 }],
  executions: 3,
  inferences: 9,
  batchSizes: [
    [1, 1],
    [4, 2],
  ],
  closed: { preferred: 2, "delay-over": 1 },
  wait: [[700, 9]],
  refusals: [{ level: 2, rejected: 1, timedOut: 2, cancelled: 0, other: 0 }],
  pending: 0,
  instances: [
    {
      index: 0,
      phase: "serving",
      name: "resnet_0_0",
      kind: "KIND_CPU",
      device: 0,
      passive: false,
      executions: 3,
      inFlight: 1,
      busySeconds: 2,
      busyShare10: 0.4,
      busyShare60: 0.1,
    },
  ],
  runner: { pid: 7, restarts: 1, threads: 12, rssBytes: 1e8, peakBytes: 2e8 },
};

const FIGURES = {
  p50Ns: 2e6,
  p99Ns: 9e6,
  requestsPerSecond: 40,
  itemsPerSecond: 80,
  meanBatch: 2,
  busy: 0.4,
  unanswered: 0,
};
const SETTING = { instances: 1, maxBatchSize: 8, preferredBatchSizes: [4], maxQueueDelayUs: 500 };

export const SIMULATION: Simulation = {
  version: "1",
  arrivals: 900,
  isWhole: true,
  spanSeconds: 22,
  setting: { present: SETTING, proposed: { ...SETTING, instances: 2 } },
  measured: FIGURES,
  present: FIGURES,
  proposed: { ...FIGURES, p99Ns: 5e6 },
  curve: [{ batchSize: 4, ns: 3e6, executions: 20, source: "recent" }],
  unmeasured: [{ batchSize: 2, batches: 3, kind: "beyond" }],
  tooLarge: 0,
};

export const SHAPES: VersionShapes = {
  version: "1",
  maxBatchSize: 8,
  inputs: [{ name: "x", datatype: "FP32", dims: [-1], ragged: false }],
  rows: [
    {
      inputs: [{ name: "x", shape: [16] }],
      count: 9,
      meanNs: 1e6,
      p99Ns: 2e6,
      firstSeenMs: AT_MS,
      lastSeenMs: AT_MS,
      alone: 1,
      cutShort: 2,
    },
  ],
  otherRequests: 0,
  otherShapes: 0,
};

export const MEMORY: MemoryFacts = {
  loads: [
    { version: "1", atMs: AT_MS, seconds: 1, beforeBytes: 5e7, loadedBytes: 9e7, peakBytes: 1e8, currentBytes: 9e7 },
  ],
  estimates: [{ version: "1", fileBytes: 1e6, bytes: 6e7 }],
  holders: [{ model: "resnet", version: "1", bytes: 9e7 }],
  serverBytes: 1e8,
  budgetBytes: 1e9,
};

const line = { model: "resnet", version: "1", instance: "", requestId: "", atMs: AT_MS };

export const LOG_LINES: readonly LogLine[] = [
  { ...line, id: 1, level: "info", source: "model", text: "loaded" },
  { ...line, id: 2, level: "warn", source: "request", requestId: "r-7", text: "UNAVAILABLE: queue full" },
];

/** What came of mirrored requests, one of which differed. */
export const SHADOW: ShadowStatus = {
  target: "2",
  percent: 10,
  requests: "unversioned",
  absolute: 1e-5,
  relative: 1e-3,
  keepWorst: 10,
  startedAt: "2026-11-20T08:00:00.000Z",
  mirrored: 12,
  dropped: {
    "primary-busy": 0,
    "target-not-ready": 0,
    "target-busy": 3,
    memory: 0,
    "too-large": 0,
    behind: 0,
    unsupported: 0,
  },
  failed: 1,
  lastFailure: "no answer",
  compared: 11,
  agreed: 10,
  maxAbsolute: 0.25,
  maxRelative: 0.2,
  top1: { same: 10, of: 11 },
  latency: { primary: { p50Ms: 1, p99Ms: 2 }, shadow: null },
  worst: [
    {
      requestId: "r-7",
      at: "2026-11-20T08:00:01.000Z",
      agreed: false,
      output: "y",
      index: 3,
      primary: 1.25,
      shadow: 1,
      absolute: 0.25,
      relative: 0.2,
      inputs: [{ name: "x", datatype: "FP32", shape: [1, 2], first: [0.5, "NaN"] }],
    },
  ],
};
