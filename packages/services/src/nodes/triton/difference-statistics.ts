import type { ModelStatisticsEntry, SeriesBucket } from "@nereid/client";

/** Pending requests by `name/version`, where the server tells them. */
export type PendingRequests = ReadonlyMap<string, number>;

/** Name of a model version in `PendingRequests`. */
export const versionKey = (model: string, version: string): string => `${model}/${version}`;

type Counters = readonly ModelStatisticsEntry[];

/**
 * What happened between two readings of a server's counters. A version that is seen for the first time begins at its counters as
 * they stand, for what it did before is not of this second; counters that went back began anew at 0, because the model was loaded
 * again. Versions that did nothing and have nothing pending have no row. Histograms are empty: counters tell means only.
 */
export function differenceStatistics(
  before: Counters,
  after: Counters,
  pending: PendingRequests = new Map(),
): SeriesBucket[] {
  const known = new Map(before.map((entry) => [versionKey(entry.name, entry.version), entry]));
  return after.flatMap((entry) => {
    const key = versionKey(entry.name, entry.version);
    const earlier = known.get(key);
    const waiting = pending.get(key) ?? 0;
    if (earlier === undefined) return waiting === 0 ? [] : [rowOf(entry, entry, waiting)];
    const row = rowOf(beganAnew(earlier, entry) ? undefined : earlier, entry, waiting);
    return isQuiet(row) ? [] : [row];
  });
}

/** Whether any counter is smaller than it was. */
function beganAnew(earlier: ModelStatisticsEntry, later: ModelStatisticsEntry): boolean {
  const a = countersOf(earlier);
  return countersOf(later).some((value, i) => value < (a[i] ?? 0));
}

function countersOf({ inference_count, execution_count, inference_stats: stats }: ModelStatisticsEntry): number[] {
  const { success, fail, queue, compute_input, compute_infer, compute_output } = stats;
  const timed = [success, fail, queue, compute_input, compute_infer, compute_output];
  return [inference_count, execution_count, ...timed.flatMap(({ count, ns }) => [count, ns])];
}

function rowOf(from: ModelStatisticsEntry | undefined, to: ModelStatisticsEntry, pending: number): SeriesBucket {
  type Timed = "success" | "fail" | "queue" | "compute_input" | "compute_infer" | "compute_output";
  const stats = to.inference_stats;
  const count = (name: Timed) => stats[name].count - (from?.inference_stats[name].count ?? 0);
  const ns = (name: Timed) => stats[name].ns - (from?.inference_stats[name].ns ?? 0);
  return {
    model: to.name,
    version: to.version,
    success: count("success"),
    failure: count("fail"),
    inferences: to.inference_count - (from?.inference_count ?? 0),
    executions: to.execution_count - (from?.execution_count ?? 0),
    pending,
    sumNs: {
      request: ns("success"),
      queue: ns("queue"),
      computeInput: ns("compute_input"),
      computeInfer: ns("compute_infer"),
      computeOutput: ns("compute_output"),
    },
    latency: [],
    batchSizes: batchSizesOf(from, to),
  };
}

function batchSizesOf(from: ModelStatisticsEntry | undefined, to: ModelStatisticsEntry): [number, number][] {
  const earlier = new Map((from?.batch_stats ?? []).map((one) => [one.batch_size, one.compute_infer.count]));
  return to.batch_stats.flatMap(({ batch_size, compute_infer }): [number, number][] => {
    const executions = compute_infer.count - (earlier.get(batch_size) ?? 0);
    return executions > 0 ? [[batch_size, executions]] : [];
  });
}

function isQuiet({ success, failure, executions, pending }: SeriesBucket): boolean {
  return success === 0 && failure === 0 && executions === 0 && pending === 0;
}
