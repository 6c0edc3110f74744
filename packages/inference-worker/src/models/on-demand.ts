import { NereidError } from "@nereid/errors";
import type { Clock } from "../time/clock.ts";
import { abortable } from "./abortable.ts";
import type { ModelManager } from "./model-manager.ts";

/** A model that will not be unloaded for lack of use until this is released. Releasing twice is harmless. */
export interface Hold {
  release(): void;
}

export interface OnDemandOptions {
  readonly manager: Pick<ModelManager, "entry" | "hold" | "loadOnDemand" | "idleModels" | "evict">;
  /** Whether exactly one repository has the model. */
  readonly exists: (model: string) => Promise<boolean>;
  /** Models that a person unloaded. */
  readonly withheld: (model: string) => boolean;
  /** Versions chosen by hand. */
  readonly pinOf: (model: string) => readonly string[] | undefined;
  /** How long a request waits for the load. */
  readonly waitMs: number;
  /** A model that no request used for so long is unloaded. */
  readonly idleMs: number;
  readonly clock: Clock;
}

/** Requests that wait for one model; more are refused at once. */
const MOST_WAITING = 1_000;
/** A model that could not be loaded is not tried again for every request. */
const REST_AFTER_FAILURE_MS = 5_000;
const AGAIN_MS = 1_000;

interface Coming {
  readonly done: Promise<void>;
  waiting: number;
}

/** Loads models when requests ask for them, and unloads those again that nobody asks for any more. */
export class OnDemand {
  readonly #options: OnDemandOptions;
  readonly #coming = new Map<string, Coming>();
  readonly #failed = new Map<string, { readonly error: NereidError; readonly untilMs: number }>();

  constructor(options: OnDemandOptions) {
    this.#options = options;
  }

  /**
   * Call it before a request finds its version, and release when the request is in the queue: at once for a model that is served,
   * else a promise for when it is. What cannot be loaded (unknown, unloaded by a person) is left to be refused as ever. Rejects with
   * UNAVAILABLE when the load fails or takes too long, or too many wait; with the signal's reason when that aborts.
   */
  hold(model: string, signal: AbortSignal): Hold | Promise<Hold> {
    const hold = this.#options.manager.hold(model);
    if (this.#isServed(model)) return hold;
    return this.#bring(model, signal).then(
      () => hold,
      (error) => {
        hold.release();
        throw error;
      },
    );
  }

  /** Unloads what was not used for long; call it every few seconds. */
  sweep(): void {
    const { manager, idleMs } = this.#options;
    for (const model of manager.idleModels(idleMs)) {
      // What fails is tidying up; the next sweep tries again.
      manager.evict(model, "idle").catch(() => undefined);
    }
  }

  #isServed(model: string): boolean {
    const entry = this.#options.manager.entry(model);
    return entry !== undefined && [...entry.versions.values()].some(({ state }) => state === "READY");
  }

  async #bring(model: string, signal: AbortSignal): Promise<void> {
    if (this.#options.withheld(model) || !(await this.#exists(model))) return;
    this.#refuseAfterFailure(model);
    const coming = this.#coming.get(model) ?? this.#load(model);
    if (coming.waiting >= MOST_WAITING) {
      throw new NereidError(
        "UNAVAILABLE",
        `model '${model}' is being loaded on demand and ${MOST_WAITING} requests wait for it already; try again later`,
        { retryAfterMs: AGAIN_MS },
      );
    }
    coming.waiting += 1;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(this.#tooLate(model)), this.#options.waitMs);
    try {
      await abortable(coming.done, AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      coming.waiting -= 1;
    }
  }

  #load(model: string): Coming {
    const { manager, pinOf, clock } = this.#options;
    const done = manager
      .loadOnDemand(model, () => pinOf(model))
      .then(
        () => void this.#failed.delete(model),
        (thrown) => {
          const cause = NereidError.from(thrown);
          if (cause.code === "NOT_FOUND") return;
          const error = new NereidError(
            "UNAVAILABLE",
            `model '${model}' could not be loaded on demand: ${cause.message.trimEnd()}`,
            { cause, retryAfterMs: REST_AFTER_FAILURE_MS },
          );
          this.#failed.set(model, { error, untilMs: clock.wallMs() + REST_AFTER_FAILURE_MS });
          throw error;
        },
      );
    const coming = { done, waiting: 0 };
    this.#coming.set(model, coming);
    const over = () => void this.#coming.delete(model);
    done.then(over, over);
    return coming;
  }

  #refuseAfterFailure(model: string): void {
    const failed = this.#failed.get(model);
    if (failed === undefined) return;
    if (failed.untilMs > this.#options.clock.wallMs()) throw failed.error;
    this.#failed.delete(model);
  }

  #tooLate(model: string): NereidError {
    const seconds = this.#options.waitMs / 1000;
    return new NereidError(
      "UNAVAILABLE",
      `model '${model}' is being loaded on demand and is not ready after ${seconds} s; try again later`,
      { retryAfterMs: AGAIN_MS },
    );
  }

  async #exists(model: string): Promise<boolean> {
    try {
      return await this.#options.exists(model);
    } catch {
      // No such name can be a model's: refused as unknown.
      return false;
    }
  }
}
