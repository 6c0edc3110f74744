import type { ModelStatisticsEntry, NereidClient, SecondBucket } from "@nereid/client";
import type { Clock } from "../../clock.ts";
import { differenceStatistics } from "./difference-statistics.ts";
import { type MetricsPage, readMetricsPage } from "./read-metrics-page.ts";

export interface TritonBucketsOptions {
  readonly clock: Clock;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

const SECOND_MS = 1_000;
/** A little after the second is over. */
const MARGIN_MS = 10;
const TIMEOUT_MS = 5_000;
/** What happened in a longer time cannot be said to be of one second. */
const LONGEST_STEP_MS = 2_500;
const NOTHING: MetricsPage = { node: undefined, pending: new Map() };

interface Reading {
  readonly atMs: number;
  readonly statistics: readonly ModelStatisticsEntry[];
}

/**
 * The seconds of a server that only has counters: read once a second, each second is what they grew by. Throws when the server does
 * not answer. A metrics page that cannot be had leaves the readings of the machine out.
 */
export async function* tritonBuckets(
  client: Pick<NereidClient, "statistics" | "metricsText">,
  { clock, pause, signal }: TritonBucketsOptions,
): AsyncGenerator<SecondBucket, void, undefined> {
  let last: Reading | undefined;
  let told = 0;
  while (!signal.aborted) {
    const options = { signal, timeoutMs: TIMEOUT_MS };
    const [{ model_stats: statistics }, page] = await Promise.all([
      client.statistics(undefined, options),
      client.metricsText(options).then(readMetricsPage, () => NOTHING),
    ]);
    const atMs = clock.now();
    const t = Math.floor(atMs / SECOND_MS) - 1;
    const before = last !== undefined && atMs - last.atMs <= LONGEST_STEP_MS ? last.statistics : [];
    last = { atMs, statistics };
    if (t > told) {
      told = t;
      const series = differenceStatistics(before, statistics, page.pending);
      yield { t, series, ...(page.node !== undefined && { node: page.node }) };
    }
    await pause(SECOND_MS - (clock.now() % SECOND_MS) + MARGIN_MS, signal).catch(() => undefined);
  }
}
