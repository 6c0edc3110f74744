import { ERRORS, type Lock, type Locker, type RequestRelease } from "@tus/server";

const WAIT_MS = 30_000;

interface Held {
  readonly release: RequestRelease;
  readonly waiting: (() => void)[];
}

/**
 * One request at a time for each upload. A newcomer asks the holder to end, as a connection that died unnoticed never would by
 * itself. Unlike the locker that comes with tus, waiting takes no time of the event loop.
 */
export class UploadLocker implements Locker {
  readonly #held = new Map<string, Held>();
  readonly #waitMs: number;

  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  newLock(id: string): Lock {
    return {
      lock: (signal, release) => this.#lock(id, signal, release),
      unlock: async () => this.#unlock(id),
    };
  }

  async #lock(id: string, signal: AbortSignal, release: RequestRelease): Promise<void> {
    const until = Date.now() + this.#waitMs;
    for (let held = this.#held.get(id); held !== undefined; held = this.#held.get(id)) {
      await held.release();
      await this.#turn(id, { held, signal, withinMs: until - Date.now() });
    }
    this.#held.set(id, { release, waiting: [] });
  }

  /** Waits until the holder is done. Throws tus's timeout error. */
  #turn(id: string, wait: { held: Held; signal: AbortSignal; withinMs: number }): Promise<void> {
    const { held, signal, withinMs } = wait;
    if (this.#held.get(id) !== held) return Promise.resolve();
    if (signal.aborted) return Promise.reject(ERRORS.ERR_LOCK_TIMEOUT);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        settle();
      };
      const giveUp = end(() => reject(ERRORS.ERR_LOCK_TIMEOUT));
      const timer = setTimeout(giveUp, Math.max(0, withinMs));
      signal.addEventListener("abort", giveUp);
      held.waiting.push(end(resolve));
    });
  }

  #unlock(id: string): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    for (const wake of held?.waiting ?? []) wake();
  }
}
