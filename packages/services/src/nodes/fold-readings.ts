import type { GpuReading, NodeReading, SecondBucket } from "@nereid/client";

/** The machine and its traffic in one step: shares, memory and power are means; lag, temperature and errors the greatest. */
export interface NodeStep extends NodeReading {
  /** Unix second at which it begins. */
  readonly t: number;
  /** Null where nobody measured them. */
  readonly requestsPerSecond: number | null;
  readonly failuresPerSecond: number | null;
}

/** Steps of `step` seconds over the given buckets, oldest first. A step without a bucket has no entry: it is not nothing. */
export function foldReadings(buckets: readonly SecondBucket[], step: number): NodeStep[] {
  const steps = groupBy(buckets, ({ t }) => Math.floor(t / step) * step);
  return [...steps].map(([t, seconds]) => {
    const series = seconds.flatMap((bucket) => bucket.series);
    const failed = series.reduce((sum, one) => sum + one.failure, 0);
    const all = series.reduce((sum, one) => sum + one.success + one.failure, 0);
    return {
      t,
      requestsPerSecond: all / seconds.length,
      failuresPerSecond: failed / seconds.length,
      ...foldMachine(seconds.flatMap(({ node }) => (node === undefined ? [] : [node]))),
    };
  });
}

function foldMachine(readings: readonly NodeReading[]): NodeReading {
  return {
    ...field("cpu", mean(readings.map(({ cpu }) => cpu))),
    ...field("memoryUsedBytes", mean(readings.map((one) => one.memoryUsedBytes))),
    ...field("memoryTotalBytes", greatest(readings.map((one) => one.memoryTotalBytes))),
    ...field("rssBytes", mean(readings.map(({ rssBytes }) => rssBytes))),
    ...field("eventLoopLagMs", greatest(readings.map((one) => one.eventLoopLagMs))),
    ...field("gpus", foldGpus(readings.flatMap(({ gpus }) => gpus ?? []))),
  };
}

function foldGpus(readings: readonly GpuReading[]): GpuReading[] | undefined {
  if (readings.length === 0) return undefined;
  return [...groupBy(readings, ({ index }) => index)].map(([index, of]) => ({
    index,
    ...field("name", of.at(-1)?.name),
    ...field("utilization", mean(of.map(({ utilization }) => utilization))),
    ...field("memoryUsedBytes", mean(of.map((one) => one.memoryUsedBytes))),
    ...field("memoryTotalBytes", greatest(of.map((one) => one.memoryTotalBytes))),
    ...field("powerWatts", mean(of.map(({ powerWatts }) => powerWatts))),
    ...field("temperatureCelsius", greatest(of.map((one) => one.temperatureCelsius))),
    ...field("eccErrors", greatest(of.map(({ eccErrors }) => eccErrors))),
    ...field("xidErrors", greatest(of.map(({ xidErrors }) => xidErrors))),
  }));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The field, where there is a value: absent is not the same as undefined. */
function field<Key extends string, Value>(key: Key, value: Value | undefined) {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}

function known(values: readonly (number | undefined)[]): number[] {
  return values.filter((value) => value !== undefined);
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const told = known(values);
  return told.length === 0 ? undefined : told.reduce((sum, value) => sum + value, 0) / told.length;
}

function greatest(values: readonly (number | undefined)[]): number | undefined {
  const told = known(values);
  return told.length === 0 ? undefined : Math.max(...told);
}
