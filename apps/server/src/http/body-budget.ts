/** What one exchange holds of the budget. */
export interface BodyShare {
  /** False when the bytes no longer fit; they are not counted then. */
  add(byteLength: number): boolean;
  /** Gives everything back; calling it again does nothing. */
  close(): void;
}

/** Bounds the memory of all request bodies together: a single limit for each body does not bound many of them. */
export class BodyBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get limit(): number {
    return this.#limit;
  }

  get used(): number {
    return this.#used;
  }

  open(): BodyShare {
    let held = 0;
    let open = true;
    return {
      add: (byteLength) => {
        if (!open || this.#used + byteLength > this.#limit) return false;
        held += byteLength;
        this.#used += byteLength;
        return true;
      },
      close: () => {
        if (!open) return;
        open = false;
        this.#used -= held;
      },
    };
  }
}
