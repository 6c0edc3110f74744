import type { FlightRecord } from "@nereid/client";
import type { StatsWindow, WindowPoint, WindowSlice } from "../diagnose/stats-window.ts";

const MS = 1e6;

export interface RecordParts {
  readonly queueMs?: number;
  readonly inferMs?: number;
  readonly causes?: FlightRecord["causes"];
  readonly size?: number;
  readonly reason?: string;
  readonly leftWaiting?: number;
  readonly first?: boolean;
  readonly version?: string;
  readonly instance?: string;
  readonly shape?: readonly number[];
  readonly receiveMs?: number;
  readonly writeMs?: number;
}

let serial = 0;

/** A remembered request with these parts. */
export function recordOf(parts: RecordParts = {}): FlightRecord {
  const { queueMs = 1, inferMs = 2, size = 1, reason = "no-delay", leftWaiting = 0, version = "1" } = parts;
  serial += 1;
  return {
    serial,
    id: "",
    model: "m",
    version,
    causes: parts.causes ?? ["slow"],
    atMs: 1_000_000,
    outcome: "answered",
    totalNs: (queueMs + inferMs) * MS,
    queue: { position: 0, waitedNs: queueMs * MS, priority: 0 },
    batch: { serial, requests: 1, size, reason, leftWaiting, mates: [], ...(parts.first === true && { first: true }) },
    instance: { name: parts.instance ?? "m_0_0", device: 0 },
    phases: { inputNs: 0.1 * MS, inferNs: inferMs * MS, outputNs: 0.1 * MS },
    bytes: { input: 100, output: 100, copied: 100 },
    shapes: [{ name: "x", shape: parts.shape ?? [1] }],
    ...(parts.receiveMs !== undefined && { receiveNs: parts.receiveMs * MS }),
    ...(parts.writeMs !== undefined && { writeNs: parts.writeMs * MS }),
  };
}

export const SLICE: WindowSlice = {
  succeeded: 1000,
  failed: 0,
  failures: {},
  requestsPerSecond: 100,
  p50: 3,
  p95: 5,
  p99: 8,
  means: { queue: 0.2, input: 0.1, infer: 2.5, output: 0.1 },
  executions: 1000,
  meanBatch: 1,
  batchSizes: [[1, 1000]],
  closed: { "no-delay": 1000 },
  busyShare: 0.3,
  network: { receive: 0.05, send: 0.05 },
};

export const POINT: WindowPoint = {
  t: 1000,
  requests: 100,
  failed: 0,
  p99: 8,
  infer: 2.5,
  queue: 0.2,
  pending: 0,
  meanBatch: 1,
  neighbours: 0,
  cpu: 0.3,
  eventLoopLagMs: 1,
};

/** Points of one second each from a list of what differs. */
export function pointsOf(parts: readonly Partial<WindowPoint>[]): WindowPoint[] {
  return parts.map((part, i) => ({ ...POINT, t: 1000 + i, ...part }));
}

/** A window in which nothing is wrong, changed by what a test is about. */
export function windowOf(
  more: Partial<Omit<StatsWindow, "whole">> & { readonly whole?: Partial<WindowSlice> } = {},
): StatsWindow {
  const { whole, ...rest } = more;
  return {
    model: "m",
    version: null,
    node: "local",
    from: 1000,
    to: 1010,
    whole: { ...SLICE, ...whole },
    versions: [],
    nodes: [],
    timeline: pointsOf(Array.from({ length: 10 }, () => ({}))),
    before: null,
    machine: { cpu: 0.3, cores: 8, memoryShare: 0.4, eventLoopLagMs: 2, gpus: [] },
    neighbours: [],
    slow: [],
    sampled: [],
    failed: [],
    config: {
      maxBatchSize: 8,
      batches: true,
      queueDelayUs: 0,
      preferredSizes: [],
      maxQueueSize: 0,
      instances: 1,
      threads: 1,
      kind: "cpu",
      backend: "onnxruntime",
    },
    events: [],
    ...rest,
  };
}
