import type { VersionBatching } from "@nereid/client";
import type { BatchingSecond } from "@nereid/services";

/** What batches and instances did over a span. */
export interface SpanFacts {
  readonly executions: number;
  readonly inferences: number;
  readonly refused: number;
  /** Executions by batch size, ascending. */
  readonly sizes: readonly (readonly [size: number, executions: number])[];
  /** Batches by what closed them, the most frequent first. */
  readonly closed: readonly (readonly [reason: string, batches: number])[];
  /** Mean share of the instances' time in which they were executing, 0…1; null where it is not known. */
  readonly busy: number | null;
}

/** Sums of the seconds of a span. */
export function factsOfSeconds(seconds: readonly BatchingSecond[]): SpanFacts {
  const sizes = new Map<number, number>();
  const closed = new Map<string, number>();
  for (const second of seconds) {
    for (const [size, count] of second.batchSizes) sizes.set(size, (sizes.get(size) ?? 0) + count);
    for (const [reason, count] of Object.entries(second.closed)) closed.set(reason, (closed.get(reason) ?? 0) + count);
  }
  const known = seconds.flatMap(({ busy }) => busy ?? []);
  return {
    executions: seconds.reduce((sum, { executions }) => sum + executions, 0),
    inferences: seconds.reduce((sum, { inferences }) => sum + inferences, 0),
    refused: seconds.reduce((sum, { refused }) => sum + refused, 0),
    sizes: [...sizes].sort(([a], [b]) => a - b),
    closed: [...closed].sort(([, a], [, b]) => b - a),
    busy: known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length,
  };
}

/** Sums since the load, of one version. `busy` is that of its last minute. */
export function factsSinceLoad(version: VersionBatching): SpanFacts {
  const serving = version.instances.filter(({ passive }) => !passive);
  return {
    executions: version.executions,
    inferences: version.inferences,
    refused: version.refusals.reduce(
      (sum, { rejected, timedOut, cancelled }) => sum + rejected + timedOut + cancelled,
      0,
    ),
    sizes: version.batchSizes,
    closed: Object.entries(version.closed).sort(([, a], [, b]) => b - a),
    busy: serving.length === 0 ? null : serving.reduce((sum, { busyShare60 }) => sum + busyShare60, 0) / serving.length,
  };
}
