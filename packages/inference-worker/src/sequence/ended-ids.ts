import type { NereidError } from "@nereid/errors";
import type { SequenceId } from "./control-inputs.ts";

/**
 * Ids of sequences that were ended by the server, with what their next request is told. Forgotten once it is told, once the id starts
 * anew, and all together some time after the last one came: by then the sequence would have been idle for too long anyway.
 */
export class EndedIds {
  readonly #errors = new Map<SequenceId, NereidError>();
  #untilNs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#errors.size;
  }

  /** Infinity when there is nothing to forget. */
  get untilNs(): number {
    return this.#untilNs;
  }

  has(id: SequenceId): boolean {
    return this.#errors.has(id);
  }

  put(id: SequenceId, error: NereidError, untilNs: number): void {
    this.#errors.set(id, error);
    this.#untilNs = untilNs;
  }

  take(id: SequenceId): NereidError | undefined {
    const error = this.#errors.get(id);
    this.#errors.delete(id);
    if (this.#errors.size === 0) this.#untilNs = Number.POSITIVE_INFINITY;
    return error;
  }

  expire(nowNs: number): void {
    if (nowNs < this.#untilNs) return;
    this.#errors.clear();
    this.#untilNs = Number.POSITIVE_INFINITY;
  }
}
