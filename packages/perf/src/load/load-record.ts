/** What happened to one request; times are milliseconds of the machine's monotonic clock, which all processes share. */
export interface LoadRecord {
  /** When it was to be sent; in a closed loop when it was sent. */
  readonly dueMs: number;
  readonly startMs: number;
  /** When its last byte was given to the socket. */
  readonly sentMs: number;
  /** First byte of the answer. */
  readonly firstMs: number;
  /** Last answer that was not empty. */
  readonly endMs: number;
  readonly ok: boolean;
  /** Whether the generator itself noticed too late that it was due. */
  readonly late: boolean;
  /** 0 = of no sequence. */
  readonly sequenceId: number;
  readonly sequenceEnd: boolean;
  /** Number of the prepared request that was sent. */
  readonly input: number;
  /** Tokens the server said it made; 0 = it did not say. */
  readonly outputTokens: number;
  /** Each answer that was not empty. */
  readonly responsesMs: readonly number[];
}

const FIELDS = 10;
const OK = 1;
const LATE = 2;
const SEQUENCE_END = 4;

/** Collects records as numbers, so that handing over thousands of them costs one copy. */
export class RecordBuffer {
  #numbers = new Float64Array(4096);
  #length = 0;

  add(record: LoadRecord): void {
    const { responsesMs } = record;
    // A single answer at the end, which is nearly every request, is not written twice.
    const plain = responsesMs.length === 1 && responsesMs[0] === record.endMs;
    const extra = plain ? 0 : responsesMs.length;
    if (this.#length + FIELDS + extra > this.#numbers.length) this.#grow(FIELDS + extra);
    const flags = (record.ok ? OK : 0) | (record.late ? LATE : 0) | (record.sequenceEnd ? SEQUENCE_END : 0);
    const { dueMs, startMs, sentMs, firstMs, endMs, sequenceId, input, outputTokens } = record;
    const fields = [dueMs, startMs, sentMs, firstMs, endMs, flags, sequenceId, input, outputTokens, plain ? -1 : extra];
    this.#numbers.set(fields, this.#length);
    if (extra > 0) this.#numbers.set(responsesMs, this.#length + FIELDS);
    this.#length += FIELDS + extra;
  }

  /** What was collected since the last call. */
  take(): Float64Array {
    const taken = this.#numbers.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const larger = new Float64Array(Math.max(2 * this.#numbers.length, this.#length + needed));
    larger.set(this.#numbers.subarray(0, this.#length));
    this.#numbers = larger;
  }
}

/** The records of numbers that `RecordBuffer.take()` gave. Pure. */
export function unpackRecords(numbers: Float64Array): LoadRecord[] {
  const records: LoadRecord[] = [];
  for (let at = 0; at < numbers.length; ) {
    const [dueMs = 0, startMs = 0, sentMs = 0, firstMs = 0, endMs = 0, flags = 0, sequenceId = 0, input = 0] =
      numbers.subarray(at, at + 8);
    const outputTokens = numbers[at + 8] ?? 0;
    const extra = numbers[at + 9] ?? 0;
    at += FIELDS;
    const responsesMs = extra === -1 ? [endMs] : [...numbers.subarray(at, at + extra)];
    at += Math.max(0, extra);
    const told = { ok: (flags & OK) > 0, late: (flags & LATE) > 0, sequenceEnd: (flags & SEQUENCE_END) > 0 };
    records.push({ dueMs, startMs, sentMs, firstMs, endMs, ...told, sequenceId, input, outputTokens, responsesMs });
  }
  return records;
}
