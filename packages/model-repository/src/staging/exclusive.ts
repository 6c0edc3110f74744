/** Runs one action at a time for each key, in the order of the calls; different keys go side by side. */
export class KeyedTurns {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs the action when every earlier one of this key has ended, however it ended. */
  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(action, action);
    this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }
}

const processWide = new KeyedTurns();

/** Turns that the whole process shares: for what two parts of it might do to the same files. */
export function exclusive<T>(key: string, action: () => Promise<T>): Promise<T> {
  return processWide.run(key, action);
}
