import type { GpuReading, NodeReading, SecondBucket, SeriesBucket } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { OVERFLOW_INDEX } from "@nereid/telemetry";

/** A node's clock may be ahead by so many seconds, and what it remembers so old. */
const MOST_AHEAD_S = 300;
const MOST_OLD_S = 86_400;

/**
 * The seconds of a node, of which everything that makes no sense is left out: what another server sends may be anything, and one bad
 * number would spoil the sums of all. Throws UNAVAILABLE for a clock that is far off, and for what is no second at all.
 */
export async function* checkedBuckets(
  buckets: AsyncIterable<unknown>,
  clock: { readonly now: () => number },
): AsyncGenerator<SecondBucket, void, undefined> {
  for await (const bucket of buckets) yield checkBucket(bucket, Math.floor(clock.now() / 1000));
}

/** One second, cleaned. Pure. */
export function checkBucket(bucket: unknown, nowS: number): SecondBucket {
  if (!isRecord(bucket) || !Array.isArray(bucket["series"])) {
    throw new NereidError("UNAVAILABLE", "the node sends something that is no second of figures", {
      fix: "check that its address is that of a Nereid server of this release",
    });
  }
  const { t, series, node } = bucket;
  if (typeof t !== "number" || !Number.isInteger(t) || t > nowS + MOST_AHEAD_S || t < nowS - MOST_OLD_S) {
    throw new NereidError("UNAVAILABLE", "the node's clock is far off", {
      fix: "set its clock, or the dashboard's: they may differ by five minutes",
    });
  }
  return { t, series: series.flatMap(seriesOf), ...(isRecord(node) && { node: readingOf(node) }) };
}

function seriesOf(one: unknown): SeriesBucket[] {
  if (!isRecord(one) || typeof one["model"] !== "string" || typeof one["version"] !== "string") return [];
  const sumNs = isRecord(one["sumNs"]) ? one["sumNs"] : {};
  return [
    {
      model: one["model"],
      version: one["version"],
      success: count(one["success"]),
      failure: count(one["failure"]),
      inferences: count(one["inferences"]),
      executions: count(one["executions"]),
      pending: count(one["pending"]),
      sumNs: {
        request: count(sumNs["request"]),
        queue: count(sumNs["queue"]),
        computeInput: count(sumNs["computeInput"]),
        computeInfer: count(sumNs["computeInfer"]),
        computeOutput: count(sumNs["computeOutput"]),
      },
      latency: pairs(one["latency"], OVERFLOW_INDEX),
      ...(isRecord(one["failures"]) && { failures: counts(one["failures"]) }),
      ...(Array.isArray(one["batchSizes"]) && { batchSizes: pairs(one["batchSizes"], Number.MAX_SAFE_INTEGER) }),
      ...(isRecord(one["closed"]) && { closed: counts(one["closed"]) }),
      ...(one["busyNs"] !== undefined && { busyNs: count(one["busyNs"]) }),
      ...(one["instances"] !== undefined && { instances: count(one["instances"]) }),
    },
  ];
}

/** Whole numbers with how often each was seen, ascending. */
function pairs(value: unknown, largest: number): [number, number][] {
  if (!Array.isArray(value)) return [];
  const good = value.filter(
    (pair): pair is [number, number] =>
      Array.isArray(pair) &&
      Number.isInteger(pair[0]) &&
      pair[0] >= 0 &&
      pair[0] <= largest &&
      Number.isSafeInteger(pair[1]) &&
      pair[1] > 0,
  );
  return good.sort(([a], [b]) => a - b).map(([key, seen]) => [key, seen]);
}

const NODE_NUMBERS = ["cpu", "memoryUsedBytes", "memoryTotalBytes", "rssBytes", "eventLoopLagMs"] as const;
const GPU_NUMBERS = [
  "utilization",
  "memoryUsedBytes",
  "memoryTotalBytes",
  "powerWatts",
  "temperatureCelsius",
  "eccErrors",
  "xidErrors",
] as const;

function readingOf(node: Readonly<Record<string, unknown>>): NodeReading {
  const gpus = Array.isArray(node["gpus"]) ? node["gpus"].flatMap(gpuOf) : undefined;
  return { ...numbersOf(node, NODE_NUMBERS), ...(gpus !== undefined && { gpus }) };
}

function gpuOf(gpu: unknown): GpuReading[] {
  if (!isRecord(gpu) || !Number.isSafeInteger(gpu["index"])) return [];
  const name = gpu["name"];
  return [{ index: count(gpu["index"]), ...(typeof name === "string" && { name }), ...numbersOf(gpu, GPU_NUMBERS) }];
}

function numbersOf<Key extends string>(
  from: Readonly<Record<string, unknown>>,
  keys: readonly Key[],
): Partial<Record<Key, number>> {
  const found: Partial<Record<Key, number>> = {};
  for (const key of keys) {
    const value = from[key];
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) found[key] = value;
  }
  return found;
}

function counts(from: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]) => (count(value) > 0 ? [[key, count(value)]] : [])),
  );
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value)
    ? Math.min(value, Number.MAX_SAFE_INTEGER)
    : 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
