import type { FlightRecord } from "@nereid/client";
import type { HistoryPoint, NodePoint } from "../history/history-reader.ts";
import { addSums, NO_SUMS, type SeriesSums } from "../history/series-sums.ts";
import { quantileMs } from "../metrics/quantile-ms.ts";
import type { StatsWindow, WindowGpu, WindowMachine, WindowPoint, WindowSlice } from "./stats-window.ts";

const NS_PER_MS = 1e6;
const NS_PER_S = 1e9;

/** All points of a series added up, and the seconds in them. */
export function totalOf(points: readonly HistoryPoint[]): { readonly sums: SeriesSums; readonly seconds: number } {
  return {
    sums: points.reduce((sum, { merged }) => addSums(sum, merged), NO_SUMS),
    seconds: points.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

/** The figures of a stretch of time. `records` are the sample that says how long requests were on the way. */
export function sliceOf(points: readonly HistoryPoint[], records: readonly FlightRecord[] = []): WindowSlice {
  const { sums, seconds } = totalOf(points);
  const { success, failure, sumNs, latency, inferences, executions } = sums;
  const mean = (ns: number) => ns / success / NS_PER_MS;
  return {
    succeeded: success,
    failed: failure,
    failures: sums.failures,
    requestsPerSecond: (success + failure) / Math.max(1, seconds),
    p50: quantileMs(latency, 0.5),
    p95: quantileMs(latency, 0.95),
    p99: quantileMs(latency, 0.99),
    means:
      success === 0
        ? null
        : {
            queue: mean(sumNs.queue),
            input: mean(sumNs.computeInput),
            infer: mean(sumNs.computeInfer),
            output: mean(sumNs.computeOutput),
          },
    executions,
    meanBatch: executions === 0 ? null : inferences / executions,
    batchSizes: sums.batchSizes,
    closed: sums.closed,
    busyShare:
      sums.instances === 0 || seconds === 0 ? null : Math.min(1, sums.busyNs / (sums.instances * seconds * NS_PER_S)),
    network: networkOf(records),
  };
}

/** Mean time on the way of the requests that it was measured of; null without any. */
function networkOf(records: readonly FlightRecord[]): WindowSlice["network"] {
  const known = records.flatMap(({ receiveNs, writeNs }) =>
    receiveNs === undefined && writeNs === undefined ? [] : [{ receive: receiveNs ?? 0, send: writeNs ?? 0 }],
  );
  if (known.length === 0) return null;
  const mean = (key: "receive" | "send") => known.reduce((sum, one) => sum + one[key], 0) / known.length / NS_PER_MS;
  return { receive: mean("receive"), send: mean("send") };
}

export interface TimelineParts {
  /** Of the model, of all models of the node together, and of the node itself, in the same steps. */
  readonly own: readonly HistoryPoint[];
  readonly all: readonly HistoryPoint[];
  readonly node: readonly NodePoint[];
}

/** The window point by point. */
export function timelineOf({ own, all, node }: TimelineParts): WindowPoint[] {
  const everything = new Map(all.map((point) => [point.t, point]));
  const readings = new Map(node.map((point) => [point.t, point]));
  return own.map((point) => {
    const { merged, seconds, t } = point;
    const per = (ns: number) => (merged.success === 0 ? null : ns / merged.success / NS_PER_MS);
    const together = everything.get(t);
    const reading = readings.get(t);
    return {
      t,
      requests: merged.success + merged.failure,
      failed: merged.failure,
      p99: quantileMs(merged.latency, 0.99),
      infer: per(merged.sumNs.computeInfer),
      queue: per(merged.sumNs.queue),
      pending: merged.pending,
      meanBatch: merged.executions === 0 ? null : merged.inferences / merged.executions,
      neighbours:
        together === undefined || seconds === 0
          ? null
          : Math.max(0, computeNs(together.merged) - computeNs(merged)) / (seconds * NS_PER_S),
      cpu: reading?.cpu ?? null,
      eventLoopLagMs: reading?.eventLoopLagMs ?? null,
    };
  });
}

/**
 * Time that was spent executing. Sums over requests count a batch once for each of its requests, so where instances do not tell
 * how busy they were, the sum is divided by the mean batch.
 */
export function computeNs({
  busyNs,
  sumNs,
  executions,
  inferences,
}: Pick<SeriesSums, "busyNs" | "executions" | "inferences"> & {
  readonly sumNs: Pick<SeriesSums["sumNs"], "computeInfer">;
}): number {
  if (busyNs > 0) return busyNs;
  return inferences === 0 ? 0 : (sumNs.computeInfer * executions) / inferences;
}

/** The node over the window; null when it told nothing. */
export function machineOf(points: readonly NodePoint[], cores: number | null): WindowMachine | null {
  if (points.length === 0) return null;
  const known = (pick: (point: NodePoint) => number | undefined) =>
    points.flatMap((point) => {
      const value = pick(point);
      return value === undefined ? [] : [value];
    });
  const lags = known(({ eventLoopLagMs }) => eventLoopLagMs);
  const indices = new Set(points.flatMap(({ gpus = [] }) => gpus.map(({ index }) => index)));
  return {
    cpu: mean(known(({ cpu }) => cpu)),
    cores,
    memoryShare: mean(points.flatMap((point) => shareOf(point.memoryUsedBytes, point.memoryTotalBytes))),
    eventLoopLagMs: lags.length === 0 ? null : Math.max(...lags),
    gpus: [...indices].sort((a, b) => a - b).map((index) => gpuOf(points, index)),
  };
}

function gpuOf(points: readonly NodePoint[], index: number): WindowGpu {
  const readings = points.flatMap(({ gpus = [] }) => gpus.filter((gpu) => gpu.index === index));
  const grown = (pick: (gpu: (typeof readings)[number]) => number | undefined) => {
    const values = readings.flatMap((gpu) => pick(gpu) ?? []);
    return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
  };
  return {
    index,
    utilization: mean(readings.flatMap(({ utilization }) => utilization ?? [])),
    memoryShare: mean(readings.flatMap((gpu) => shareOf(gpu.memoryUsedBytes, gpu.memoryTotalBytes))),
    temperatureCelsius: mean(readings.flatMap(({ temperatureCelsius }) => temperatureCelsius ?? [])),
    eccErrors: grown(({ eccErrors }) => eccErrors),
    xidErrors: grown(({ xidErrors }) => xidErrors),
  };
}

function shareOf(used: number | undefined, total: number | undefined): number[] {
  return used === undefined || total === undefined || total === 0 ? [] : [used / total];
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The remembered requests of a window, by what they stand for. */
export function divideRecords(
  records: readonly FlightRecord[],
  { from, to, version }: Pick<StatsWindow, "from" | "to" | "version">,
): Pick<StatsWindow, "slow" | "sampled" | "failed"> {
  const within = records.filter(
    (record) =>
      record.atMs >= from * 1000 && record.atMs < to * 1000 && (version === null || record.version === version),
  );
  const answered = within.filter(({ outcome }) => outcome === "answered");
  return {
    slow: answered.filter(({ causes }) => causes.includes("slow")),
    sampled: answered.filter(({ causes }) => causes.includes("sampled")),
    failed: within.filter(({ outcome }) => outcome === "failed"),
  };
}
