import { FAILURE_REASONS, type FailureReason } from "@nereid/telemetry";
import { ByteReader, ByteWriter } from "./byte-coding.ts";
import type { SeriesSums } from "./series-sums.ts";

/**
 * Sums as bytes: the counts in the order below, the histogram as differences of its indices with their counts, then failures by the
 * place of their reason, batch sizes, and closing reasons by name. Nothing is rounded.
 */
export function encodeSums(sums: SeriesSums): Uint8Array {
  const out = new ByteWriter();
  const { sumNs } = sums;
  for (const value of [
    sums.success,
    sums.failure,
    sums.inferences,
    sums.executions,
    sums.pending,
    sums.pendingSum,
    sumNs.request,
    sumNs.queue,
    sumNs.computeInput,
    sumNs.computeInfer,
    sumNs.computeOutput,
    sums.busyNs,
    sums.instances,
  ]) {
    out.number(value);
  }
  writePairs(out, sums.latency);
  writePairs(
    out,
    FAILURE_REASONS.flatMap((reason, place) => {
      const count = sums.failures[reason] ?? 0;
      return count === 0 ? [] : [[place, count] as const];
    }),
  );
  writePairs(out, sums.batchSizes);
  const closed = Object.entries(sums.closed);
  out.number(closed.length);
  for (const [reason, count] of closed) {
    out.text(reason);
    out.number(count);
  }
  return out.take();
}

/** The way back. Throws RangeError for bytes that end too early. */
export function decodeSums(bytes: Uint8Array): SeriesSums {
  const from = new ByteReader(bytes);
  const next = () => from.number();
  const counts = { success: next(), failure: next(), inferences: next(), executions: next() };
  const pending = { pending: next(), pendingSum: next() };
  const sumNs = {
    request: next(),
    queue: next(),
    computeInput: next(),
    computeInfer: next(),
    computeOutput: next(),
  };
  const busy = { busyNs: next(), instances: next() };
  const latency = readPairs(from);
  const failures: Partial<Record<FailureReason, number>> = {};
  for (const [place, count] of readPairs(from)) {
    const reason = FAILURE_REASONS[place];
    if (reason !== undefined) failures[reason] = count;
  }
  const batchSizes = readPairs(from);
  const closed: Record<string, number> = {};
  for (let left = from.number(); left > 0; left -= 1) {
    const reason = from.text();
    closed[reason] = from.number();
  }
  return { ...counts, ...pending, sumNs, ...busy, latency, failures, batchSizes, closed };
}

type Pairs = readonly (readonly [number, number])[];

function writePairs(out: ByteWriter, pairs: Pairs): void {
  out.number(pairs.length);
  let last = 0;
  for (const [key, count] of pairs) {
    out.number(key - last);
    out.number(count);
    last = key;
  }
}

function readPairs(from: ByteReader): Pairs {
  const pairs: (readonly [number, number])[] = [];
  let key = 0;
  for (let left = from.number(); left > 0; left -= 1) {
    key += from.number();
    pairs.push([key, from.number()]);
  }
  return pairs;
}
