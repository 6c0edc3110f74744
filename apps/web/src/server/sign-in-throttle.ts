import type { Clock } from "@nereid/services";

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

const FREE_TRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const FORGET_AFTER_MS = 15 * 60_000;
const MOST_ACCOUNTS = 10_000;

/** How long an account has to wait after so many failures: nothing at first, then 1, 2, 4 … 60 seconds. */
export function waitAfter(failures: number): number {
  return failures < FREE_TRIES ? 0 : Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (failures - FREE_TRIES));
}

/**
 * Slows down guessing of one account's password from any number of addresses. The wait is capped, so that nobody can
 * lock an operator out for long; the limit by address is the auth library's.
 */
export class SignInThrottle {
  readonly #failures = new Map<string, Failures>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the next try is allowed; 0 = now. */
  waitMs(account: string): number {
    const failures = this.#recent(account);
    if (failures === undefined) return 0;
    return Math.max(0, failures.lastAt + waitAfter(failures.count) - this.#clock.now());
  }

  failed(account: string): void {
    const count = (this.#recent(account)?.count ?? 0) + 1;
    // Taken out and put back, so that the oldest is first when room is needed.
    this.#failures.delete(account);
    this.#failures.set(account, { count, lastAt: this.#clock.now() });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MOST_ACCOUNTS && oldest !== undefined) this.#failures.delete(oldest);
  }

  succeeded(account: string): void {
    this.#failures.delete(account);
  }

  #recent(account: string): Failures | undefined {
    const failures = this.#failures.get(account);
    return failures !== undefined && this.#clock.now() - failures.lastAt < FORGET_AFTER_MS ? failures : undefined;
  }
}
