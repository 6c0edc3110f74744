/** Bytes of unreleased responses of one instance from which on further ones wait. */
export const MAX_UNRELEASED_BYTES = 64 << 20;
/** The same as a number of responses. */
export const MAX_UNRELEASED_RESPONSES = 256;

interface Waiting {
  readonly byteLength: number;
  readonly granted: () => void;
}

/**
 * Flow control of one instance's responses: room is granted in order while less than the limits is unreleased, so a client that
 * reads slowly holds up the model and not the server's memory. One response may go beyond the limit in bytes.
 */
export class ResponseCredit {
  #bytes = 0;
  #responses = 0;
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  /** Calls `granted` once there is room, at once where there is. Returns what withdraws a request that was not granted yet. */
  acquire(byteLength: number, granted: () => void): () => void {
    const waiting = { byteLength, granted };
    this.#waiting.add(waiting);
    this.#grant();
    return () => void this.#waiting.delete(waiting);
  }

  /** Gives back what was granted for these bytes. */
  release(byteLength: number): void {
    this.#bytes -= byteLength;
    this.#responses -= 1;
    this.#grant();
  }

  /** Grants nothing more. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  #grant(): void {
    for (const next of this.#waiting) {
      if (this.#closed || this.#bytes >= MAX_UNRELEASED_BYTES || this.#responses >= MAX_UNRELEASED_RESPONSES) return;
      this.#waiting.delete(next);
      this.#bytes += next.byteLength;
      this.#responses += 1;
      next.granted();
    }
  }
}
