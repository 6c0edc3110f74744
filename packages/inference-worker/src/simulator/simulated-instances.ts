import type { Capacity } from "../scheduler/request-scheduler.ts";

interface Instance<B> {
  readonly index: number;
  executing: B | undefined;
  ahead: B | undefined;
}

/** The instances of a simulated model; takes batches as the real ones do: the one that became idle last goes first. */
export class SimulatedInstances<B> {
  readonly #sendsAhead: boolean;
  readonly #idle: Instance<B>[];
  /** Those that execute and have nothing ahead, the longest executing first. */
  readonly #busy = new Set<Instance<B>>();

  constructor(count: number, options: { readonly sendsAhead: boolean }) {
    this.#sendsAhead = options.sendsAhead;
    this.#idle = Array.from({ length: count }, (_, index) => ({
      index,
      executing: undefined,
      ahead: undefined,
    })).reverse();
  }

  get capacity(): Capacity {
    if (this.#idle.length > 0) return "idle";
    return this.#sendsAhead && this.#busy.size > 0 ? "ahead" : "none";
  }

  /** The instance that starts the batch now; undefined when the batch waits at a busy one. */
  take(batch: B): Instance<B> | undefined {
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.executing = batch;
      this.#busy.add(idle);
      return idle;
    }
    const [busy] = this.#busy;
    if (busy === undefined || !this.#sendsAhead) throw new Error("a batch was started without capacity");
    this.#busy.delete(busy);
    busy.ahead = batch;
    return undefined;
  }

  /** The instance is done with its batch; the batch it goes on with, if one waited at it. */
  give(instance: Instance<B>): B | undefined {
    const next = instance.ahead;
    instance.executing = next;
    instance.ahead = undefined;
    this.#busy.delete(instance);
    if (next === undefined) this.#idle.push(instance);
    else this.#busy.add(instance);
    return next;
  }
}
