import type { Alarm } from "./alarm.ts";
import type { Clock } from "./clock.ts";

const NS_PER_MS = 1e6;

/**
 * A timer for deadlines below a millisecond. Node's timers tick in milliseconds, so the last stretch before the deadline is
 * spent in `setImmediate` turns: the loop stays responsive and the deadline is met within a turn.
 */
export class PreciseTimer implements Alarm {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #dueNs = Number.POSITIVE_INFINITY;
  #timeout: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Calls back once at `dueNs` or just after; a later call replaces the earlier deadline. */
  arm(dueNs: number): void {
    if (dueNs === this.#dueNs) return;
    this.cancel();
    this.#dueNs = dueNs;
    this.#step();
  }

  cancel(): void {
    if (this.#dueNs === Number.POSITIVE_INFINITY) return;
    this.#dueNs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timeout);
    clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
  }

  readonly #step = (): void => {
    const leftMs = (this.#dueNs - this.#clock.nowNs()) / NS_PER_MS;
    if (leftMs <= 0) {
      this.cancel();
      this.#onDue();
    } else if (leftMs > 2) {
      // A Node timer may fire up to a millisecond late, never early by more than one: stop short of the deadline.
      this.#timeout = setTimeout(this.#step, Math.min(Math.floor(leftMs - 1), 2 ** 30));
    } else {
      this.#immediate = setImmediate(this.#step);
    }
  };
}
