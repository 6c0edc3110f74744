import type { LoadRecord } from "./load-record.ts";
import type { LoadWindow } from "./load-window.ts";

/** What one generated text took, in milliseconds; GenAI-Perf's definitions. */
interface TextTimes {
  readonly ttft: number;
  readonly ttst: number | undefined;
  readonly latency: number;
  /** Undefined for a single answer or token. */
  readonly itl: number | undefined;
  readonly tokens: number;
}

export interface GoodputLimits {
  readonly latencyMs?: number;
  readonly ttftMs?: number;
  readonly itlMs?: number;
}

export interface TextRow {
  readonly name: string;
  readonly avg: number;
  /** Undefined for a rate, which has only one value. */
  readonly spread?: {
    readonly min: number;
    readonly max: number;
    readonly p99: number;
    readonly p90: number;
    readonly p75: number;
  };
}

/**
 * The metrics of generated texts: times from when a request was sent, tokens as the server told them, or else one an answer. Times of
 * first and further tokens only where answers came in pieces. Pure.
 */
export function textFigures(
  window: LoadWindow,
  options: { readonly streaming: boolean; readonly goodput: GoodputLimits | undefined },
): TextRow[] {
  const times = window.requests.map((request) => timesOf(request, options.streaming));
  const seconds = benchmarkSeconds(window.requests);
  const tokens = times.reduce((sum, one) => sum + one.tokens, 0);
  const itl = defined(times.map((one) => one.itl));
  const rate = (name: string, count: number): TextRow[] => (seconds > 0 ? [{ name, avg: count / seconds }] : []);
  const { goodput } = options;
  return [
    ...(options.streaming
      ? [
          ...row(
            "Time to first token (ms)",
            times.map((one) => one.ttft),
          ),
          ...row("Time to second token (ms)", defined(times.map((one) => one.ttst))),
        ]
      : []),
    ...row(
      "Request latency (ms)",
      times.map((one) => one.latency),
    ),
    ...(options.streaming
      ? [
          ...row("Inter token latency (ms)", itl),
          ...row(
            "Output token throughput per user (tokens/sec/user)",
            itl.filter((ms) => ms > 0).map((ms) => 1000 / ms),
          ),
        ]
      : []),
    ...(tokens > 0
      ? [
          ...row(
            "Output sequence length (tokens)",
            times.map((one) => one.tokens),
          ),
          ...rate("Output token throughput (tokens/sec)", tokens),
        ]
      : []),
    ...rate("Request throughput (per sec)", times.length),
    ...(goodput === undefined
      ? []
      : rate("Request goodput (per sec)", window.requests.filter((one) => isGood(one, goodput)).length)),
  ];
}

/** Whether a request kept to all limits. A limit on tokens that never came in pieces is kept. Pure. */
export function isGood(record: LoadRecord, limits: GoodputLimits): boolean {
  const { ttft, itl } = timesOf(record, true);
  // From when it was due: a request that waited for the server was not good.
  const latency = record.endMs - record.dueMs;
  const within = (value: number | undefined, limit: number | undefined) =>
    value === undefined || limit === undefined || value <= limit;
  return within(latency, limits.latencyMs) && within(ttft, limits.ttftMs) && within(itl, limits.itlMs);
}

function timesOf({ startMs, endMs, responsesMs, outputTokens }: LoadRecord, streaming: boolean): TextTimes {
  const [first = endMs, second] = responsesMs;
  const latency = endMs - startMs;
  // A whole answer that does not say its tokens has none that could be counted.
  const tokens = outputTokens > 0 || !streaming ? outputTokens : responsesMs.length;
  const pieces = responsesMs.length > 1 && tokens > 1;
  return {
    ttft: first - startMs,
    ttst: second === undefined ? undefined : second - first,
    latency,
    itl: pieces ? (endMs - first) / (tokens - 1) : undefined,
    tokens,
  };
}

/** From the first request sent to the last answer. */
function benchmarkSeconds(requests: readonly LoadRecord[]): number {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { startMs, endMs } of requests) [from, to] = [Math.min(from, startMs), Math.max(to, endMs)];
  return requests.length === 0 ? 0 : (to - from) / 1000;
}

function row(name: string, values: readonly number[]): TextRow[] {
  if (values.length === 0) return [];
  const sorted = Float64Array.from(values).toSorted();
  const avg = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  const at = (p: number) => interpolated(sorted, p);
  return [{ name, avg, spread: { min: at(0), max: at(100), p99: at(99), p90: at(90), p75: at(75) } }];
}

/** GenAI-Perf interpolates between neighbours, other than perf_analyzer. */
function interpolated(sorted: Float64Array, p: number): number {
  const place = (p / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

function defined(values: readonly (number | undefined)[]): number[] {
  return values.filter((value) => value !== undefined);
}
