import type { FailureReason, SeriesBucket, SparseHistogram } from "@nereid/telemetry";

/** What one model version, or several together, did in some seconds. Can be added up without loss. */
export interface SeriesSums {
  readonly success: number;
  readonly failure: number;
  readonly inferences: number;
  readonly executions: number;
  /** Greatest number of pending requests at the end of a second, and the sum over the seconds. */
  readonly pending: number;
  readonly pendingSum: number;
  readonly sumNs: SeriesBucket["sumNs"];
  /** Whole-request latency. */
  readonly latency: SparseHistogram;
  readonly failures: Readonly<Partial<Record<FailureReason, number>>>;
  /** Executions by batch size, ascending. */
  readonly batchSizes: readonly (readonly [size: number, executions: number])[];
  readonly closed: Readonly<Record<string, number>>;
  readonly busyNs: number;
  /** Greatest number of instances. */
  readonly instances: number;
}

export const NO_SUMS: SeriesSums = {
  success: 0,
  failure: 0,
  inferences: 0,
  executions: 0,
  pending: 0,
  pendingSum: 0,
  sumNs: { request: 0, queue: 0, computeInput: 0, computeInfer: 0, computeOutput: 0 },
  latency: [],
  failures: {},
  batchSizes: [],
  closed: {},
  busyNs: 0,
  instances: 0,
};

/** What a node of another make tells may be anything; what is kept are whole numbers from 0 on. */
function whole(value: number | undefined): number {
  return value !== undefined && value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;
}

/** The sums of one second. Durations become whole nanoseconds. */
export function sumsOf(series: SeriesBucket): SeriesSums {
  const { sumNs } = series;
  return {
    success: whole(series.success),
    failure: whole(series.failure),
    inferences: whole(series.inferences),
    executions: whole(series.executions),
    pending: whole(series.pending),
    pendingSum: whole(series.pending),
    sumNs: {
      request: whole(sumNs.request),
      queue: whole(sumNs.queue),
      computeInput: whole(sumNs.computeInput),
      computeInfer: whole(sumNs.computeInfer),
      computeOutput: whole(sumNs.computeOutput),
    },
    latency: series.latency,
    failures: series.failures ?? {},
    batchSizes: series.batchSizes ?? [],
    closed: series.closed ?? {},
    busyNs: whole(series.busyNs),
    instances: whole(series.instances),
  };
}

/** The same series at two times. */
export function addSums(a: SeriesSums, b: SeriesSums): SeriesSums {
  return { ...added(a, b), pending: Math.max(a.pending, b.pending), instances: Math.max(a.instances, b.instances) };
}

/** Two series at the same time: what was pending, and the instances, add up as well. */
export function besideSums(a: SeriesSums, b: SeriesSums): SeriesSums {
  return { ...added(a, b), pending: a.pending + b.pending, instances: a.instances + b.instances };
}

function added(a: SeriesSums, b: SeriesSums): Omit<SeriesSums, "pending" | "instances"> {
  return {
    success: a.success + b.success,
    failure: a.failure + b.failure,
    inferences: a.inferences + b.inferences,
    executions: a.executions + b.executions,
    pendingSum: a.pendingSum + b.pendingSum,
    sumNs: {
      request: a.sumNs.request + b.sumNs.request,
      queue: a.sumNs.queue + b.sumNs.queue,
      computeInput: a.sumNs.computeInput + b.sumNs.computeInput,
      computeInfer: a.sumNs.computeInfer + b.sumNs.computeInfer,
      computeOutput: a.sumNs.computeOutput + b.sumNs.computeOutput,
    },
    latency: addPairs(a.latency, b.latency),
    failures: addCounts(a.failures, b.failures),
    batchSizes: addPairs(a.batchSizes, b.batchSizes),
    closed: addCounts(a.closed, b.closed),
    busyNs: a.busyNs + b.busyNs,
  };
}

type Pairs = readonly (readonly [number, number])[];

/** Merges two ascending lists of [what, how many]: this is what a fold spends its time with, so without sorting. */
export function addPairs(a: Pairs, b: Pairs): Pairs {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const sum: (readonly [number, number])[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && (right === undefined || left[0] < right[0])) {
      sum.push(left);
      i += 1;
    } else if (right !== undefined && (left === undefined || right[0] < left[0])) {
      sum.push(right);
      j += 1;
    } else if (left !== undefined && right !== undefined) {
      sum.push([left[0], left[1] + right[1]]);
      i += 1;
      j += 1;
    }
  }
  return sum;
}

type Counts = Readonly<Record<string, number | undefined>>;

function addCounts(a: Counts, b: Counts): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of [a, b]) {
    for (const [key, count] of Object.entries(counts)) {
      if (count !== undefined && count > 0) sum[key] = (sum[key] ?? 0) + count;
    }
  }
  return sum;
}
