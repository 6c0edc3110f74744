import { setImmediate as turn } from "node:timers/promises";
import type { Sliced } from "../inference/slices.ts";

/** Comparisons that wait, of all shadows. */
const MOST_WAITING = 64;

/** Compares one pair of answers after the other, a slice at a turn of the event loop, so that requests go on between. */
export class Comparer {
  readonly #waiting: (() => Sliced<void>)[] = [];
  #working = false;

  /** False when too much waits already: then nothing is done. */
  add(comparison: () => Sliced<void>): boolean {
    if (this.#waiting.length >= MOST_WAITING) return false;
    this.#waiting.push(comparison);
    if (!this.#working) void this.#work();
    return true;
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      for (const _slice of next()) await turn();
      await turn();
    }
    this.#working = false;
  }
}
