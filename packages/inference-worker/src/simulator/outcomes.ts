export const OUTCOME_KINDS = ["executed", "refused", "expired", "deadline", "cancelled", "unfinished"] as const;

/**
 * What became of a request: `refused` when it arrived, `expired` by its time-out, not executed as its client's `deadline`
 * could not be met, `cancelled` while it waited, `unfinished` when nothing would ever have happened to it.
 */
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export interface SimulatedOutcome {
  /** Number of the request in the order of arrival. */
  readonly index: number;
  readonly kind: OutcomeKind;
  readonly arrivedNs: number;
  /** Start of its execution; NaN when it was not executed. */
  readonly startNs: number;
  /** When it was answered or refused. */
  readonly endNs: number;
  /** -1 when it was not executed, as are the next two. */
  readonly batchId: number;
  readonly batchSize: number;
  readonly instance: number;
}

const COLUMNS = 6;

/** Outcomes of many requests, by their index, in little memory: 49 bytes each. */
export class OutcomeTable {
  #kinds = new Uint8Array(1024);
  #values = new Float64Array(1024 * COLUMNS);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(outcome: SimulatedOutcome): void {
    this.#grow(outcome.index);
    const { arrivedNs, startNs, endNs, batchId, batchSize, instance } = outcome;
    this.#kinds[outcome.index] = 1 + OUTCOME_KINDS.indexOf(outcome.kind);
    this.#values.set([arrivedNs, startNs, endNs, batchId, batchSize, instance], outcome.index * COLUMNS);
    this.#length = Math.max(this.#length, outcome.index + 1);
  }

  /** Undefined for a request that has none. */
  at(index: number): SimulatedOutcome | undefined {
    const kind = OUTCOME_KINDS[(this.#kinds[index] ?? 0) - 1];
    if (kind === undefined) return undefined;
    const value = (column: number) => this.#values[index * COLUMNS + column] ?? Number.NaN;
    return {
      index,
      kind,
      arrivedNs: value(0),
      startNs: value(1),
      endNs: value(2),
      batchId: value(3),
      batchSize: value(4),
      instance: value(5),
    };
  }

  *[Symbol.iterator](): Generator<SimulatedOutcome> {
    for (let index = 0; index < this.#length; index++) {
      const outcome = this.at(index);
      if (outcome !== undefined) yield outcome;
    }
  }

  #grow(index: number): void {
    if (index < this.#kinds.length) return;
    const size = Math.max(index + 1, this.#kinds.length * 2);
    const kinds = new Uint8Array(size);
    const values = new Float64Array(size * COLUMNS);
    kinds.set(this.#kinds);
    values.set(this.#values);
    this.#kinds = kinds;
    this.#values = values;
  }
}
