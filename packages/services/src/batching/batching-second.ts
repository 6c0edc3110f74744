import type { SeriesBucket } from "@nereid/client";

/** What batches and instances did in one second. */
export interface BatchingSecond {
  /** Unix seconds. */
  readonly t: number;
  readonly executions: number;
  readonly inferences: number;
  /** Requests that were refused or cancelled before they were executed. */
  readonly refused: number;
  readonly pending: number;
  /** Share of all instances' time in which they were executing, 0…1; null where the node does not say. */
  readonly busy: number | null;
  readonly batchSizes: readonly (readonly [size: number, executions: number])[];
  readonly closed: Readonly<Record<string, number>>;
}

/** The row of one second, over the versions whose series are given. */
export function batchingSecond(t: number, series: readonly SeriesBucket[]): BatchingSecond {
  const sizes = new Map<number, number>();
  const closed: Record<string, number> = {};
  let busyNs = 0;
  let instances = 0;
  for (const one of series) {
    for (const [size, count] of one.batchSizes ?? []) sizes.set(size, (sizes.get(size) ?? 0) + count);
    for (const [reason, count] of Object.entries(one.closed ?? {})) closed[reason] = (closed[reason] ?? 0) + count;
    busyNs += one.busyNs ?? 0;
    instances += one.instances ?? 0;
  }
  const sum = (value: (one: SeriesBucket) => number) => series.reduce((total, one) => total + value(one), 0);
  return {
    t,
    executions: sum(({ executions }) => executions),
    inferences: sum(({ inferences }) => inferences),
    refused: sum(({ failures }) => (failures?.REJECTED ?? 0) + (failures?.CANCELED ?? 0)),
    pending: sum(({ pending }) => pending),
    busy: series.length === 0 ? 0 : instances === 0 ? null : Math.min(1, busyNs / (instances * 1e9)),
    batchSizes: [...sizes].sort(([a], [b]) => a - b),
    closed,
  };
}
