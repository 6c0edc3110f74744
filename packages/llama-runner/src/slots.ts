/** A place that one request at a time has. */
export interface Slot<T> {
  readonly value: T;
  free(): void;
}

interface Waiting<T> {
  readonly prefer: (value: T) => number;
  readonly take: (slot: Slot<T> | undefined) => void;
}

/**
 * A fixed number of places, given out first come, first served. Of several free ones a request gets the one it likes best: for
 * generation that whose memory begins like its prompt.
 */
export class Slots<T> {
  readonly #free: T[];
  readonly #waiting: Waiting<T>[] = [];
  readonly #size: number;

  constructor(values: readonly T[]) {
    this.#free = [...values];
    this.#size = values.length;
  }

  get running(): number {
    return this.#size - this.#free.length;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** `prefer` gives a number for each free place, the highest wins. Undefined when `signal` was aborted before there was one. */
  take(signal: AbortSignal, prefer: (value: T) => number): Promise<Slot<T> | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    if (this.#waiting.length === 0 && this.#free.length > 0) return Promise.resolve(this.#give(prefer));
    return new Promise((resolve) => {
      const leave = () => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        resolve(undefined);
      };
      const waiting: Waiting<T> = {
        prefer,
        take: (slot) => {
          signal.removeEventListener("abort", leave);
          resolve(slot);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #give(prefer: (value: T) => number): Slot<T> | undefined {
    let best = 0;
    for (const [index, value] of this.#free.entries()) {
      const standing = this.#free[best];
      if (standing !== undefined && prefer(value) > prefer(standing)) best = index;
    }
    const [value] = this.#free.splice(best, 1);
    if (value === undefined) return undefined;
    let held = true;
    const free = () => {
      if (!held) return;
      held = false;
      this.#free.push(value);
      const next = this.#waiting.shift();
      next?.take(this.#give(next.prefer));
    };
    return { value, free };
  }
}
