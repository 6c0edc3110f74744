/** Lets one of those who wait go on at each turn of the event loop, so that however many they are, others get on too. */
export class FairTurns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn; first come, first served. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#give());
    });
  }

  #give(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#give());
  }
}
