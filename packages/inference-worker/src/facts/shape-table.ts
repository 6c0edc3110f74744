import { bucketIndex, quantileFromSparse } from "@nereid/telemetry";

/** Inputs of one request as they are told apart: without the batch dimension. */
export interface ShapeInput {
  readonly name: string;
  readonly shape: readonly number[];
}

/** One signature of input shapes and what became of its requests. Times are Unix milliseconds, durations nanoseconds. */
export interface ShapeRow {
  readonly inputs: readonly ShapeInput[];
  /** Requests that were answered. */
  readonly count: number;
  readonly meanNs: number;
  readonly p99Ns: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Requests that had a batch for themselves. */
  readonly alone: number;
  /** Batches of this shape that were closed because the next request had another one. */
  readonly cutShort: number;
}

export interface ShapeReport {
  /** Most requests first; at most 200. */
  readonly rows: readonly ShapeRow[];
  /** Requests of shapes that are not among the rows. */
  readonly otherRequests: number;
  /** Different shapes that are not among the rows; those that came back after they were forgotten count again. */
  readonly otherShapes: number;
}

interface Entry {
  readonly inputs: readonly ShapeInput[];
  count: number;
  sumNs: number;
  readonly histogram: Map<number, number>;
  readonly firstSeenMs: number;
  lastSeenMs: number;
  alone: number;
  cutShort: number;
}

const SHOWN = 200;
/** Twice what is shown, so that a new shape has time to become frequent. */
const REMEMBERED = 2 * SHOWN;

/** Counts requests by the shapes of their inputs. Bounded: when there are too many, the rarest half is only counted. */
export class ShapeTable {
  readonly #entries = new Map<string, Entry>();
  #otherRequests = 0;
  #otherShapes = 0;

  /** A request that was answered. `key` names its shapes; `inputs` is asked for only when the key is new. */
  record(
    key: string,
    request: { readonly totalNs: number; readonly atMs: number; readonly alone: boolean },
    inputs: () => readonly ShapeInput[],
  ): void {
    const { totalNs, atMs, alone } = request;
    const entry = this.#entries.get(key) ?? this.#open(key, inputs(), atMs);
    const bucket = bucketIndex(totalNs);
    entry.count += 1;
    entry.sumNs += totalNs;
    entry.histogram.set(bucket, (entry.histogram.get(bucket) ?? 0) + 1);
    entry.lastSeenMs = atMs;
    if (alone) entry.alone += 1;
  }

  /** A batch of these shapes was closed because the next request had others. */
  recordCutShort(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.cutShort += 1;
  }

  report(): ShapeReport {
    const sorted = [...this.#entries.values()].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    const rest = sorted.slice(SHOWN);
    return {
      rows: sorted.slice(0, SHOWN).map(rowOf),
      otherRequests: rest.reduce((sum, { count }) => sum + count, this.#otherRequests),
      otherShapes: rest.length + this.#otherShapes,
    };
  }

  #open(key: string, inputs: readonly ShapeInput[], atMs: number): Entry {
    if (this.#entries.size >= REMEMBERED) this.#forgetRarest();
    const entry = {
      inputs,
      count: 0,
      sumNs: 0,
      histogram: new Map<number, number>(),
      firstSeenMs: atMs,
      lastSeenMs: atMs,
      alone: 0,
      cutShort: 0,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Half of them at once: forgetting one for each new shape would cost every request a search. */
  #forgetRarest(): void {
    const rarest = [...this.#entries].sort(([, a], [, b]) => a.count - b.count).slice(0, REMEMBERED / 2);
    for (const [key, { count }] of rarest) {
      this.#entries.delete(key);
      this.#otherRequests += count;
      this.#otherShapes += 1;
    }
  }
}

function rowOf({ inputs, count, sumNs, histogram, firstSeenMs, lastSeenMs, alone, cutShort }: Entry): ShapeRow {
  const sparse = [...histogram].sort(([a], [b]) => a - b);
  return {
    inputs,
    count,
    meanNs: sumNs / count,
    p99Ns: quantileFromSparse(sparse, 0.99) ?? 0,
    firstSeenMs,
    lastSeenMs,
    alone,
    cutShort,
  };
}
