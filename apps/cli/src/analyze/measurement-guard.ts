import type { TuningGuard, TuningLive, TuningMeasurement, TuningSkip } from "@nereid/perf";
import type { LiveSecond, MeasureOrder, TuningDeps } from "./tuning-deps.ts";

/** Seconds above the limit, one after the other, that end a load; below it again before the next; longest wait for that. */
const BAD_SECONDS = 2;
const GOOD_SECONDS = 2;
const MOST_WAIT_MS = 30_000;
const TRIES = 2;
const LOOK_MS = 200;
/** Share of the served model's requests that may be late in the whole search, somewhat less than a p99 allows; fewer late ones say nothing. */
const MOST_LATE = 0.008;
const FEWEST_LATE = 3;
const MOST_REST_MS = 20_000;

export type GuardedMeasurement =
  | { readonly kind: "measured"; readonly measurement: TuningMeasurement }
  | { readonly kind: "skipped"; readonly skip: TuningSkip }
  /** Somebody asked to stop before it began, or began again. */
  | { readonly kind: "stopped" };

/**
 * Measures while it watches the served model: a load that drives its p99 above the limit is ended, waited out and tried once more, and
 * after late answers it rests until they are few among all, so that the p99 of the whole search stays below the limit.
 */
export class MeasurementGuard {
  readonly #guard: TuningGuard;
  readonly #deps: TuningDeps;
  readonly #end: () => void;
  #onSecond: (second: LiveSecond | null) => void = () => undefined;
  #requests = 0;
  #late = 0;
  #worstMs: number | null = null;
  #above = 0;
  #pauses = 0;
  #goodSeconds = 0;

  constructor(guard: TuningGuard, deps: TuningDeps) {
    this.#guard = guard;
    this.#deps = deps;
    this.#end = deps.live?.watch((second) => this.#second(second)) ?? (() => undefined);
  }

  get live(): TuningLive | null {
    if (this.#deps.live === undefined) return null;
    return { limitMs: this.#guard.liveP99Ms, worstP99Ms: this.#worstMs, above: this.#above, pauses: this.#pauses };
  }

  async measure(order: MeasureOrder): Promise<GuardedMeasurement> {
    for (let attempt = 1; ; attempt++) {
      await this.#rest(order.signal);
      if (this.#deps.stopAsked()) return { kind: "stopped" };
      const tried = await this.#try(order);
      if (tried.kind === "measured" || order.signal.aborted) return tried;
      this.#pauses += 1;
      if (attempt === TRIES) return tried;
      await this.#calm(order.signal);
    }
  }

  close(): void {
    this.#end();
  }

  async #try(order: MeasureOrder): Promise<GuardedMeasurement> {
    const hurt = new AbortController();
    let [bad, worst] = [0, null as number | null];
    this.#onSecond = (second) => {
      if (second !== null) worst = Math.max(worst ?? 0, second.p99Ms);
      bad = this.#isAbove(second) ? bad + 1 : 0;
      if (bad >= BAD_SECONDS) hurt.abort();
    };
    try {
      const signal = AbortSignal.any([order.signal, hurt.signal]);
      const { measurement } = await this.#deps.measurer.measure({ ...order, signal });
      if (!hurt.signal.aborted)
        return { kind: "measured", measurement: { ...measurement, liveP99Ms: worst, times: 1 } };
    } catch (error) {
      if (!hurt.signal.aborted) throw error;
    } finally {
      this.#onSecond = () => undefined;
    }
    return {
      kind: "skipped",
      skip: {
        why: `the served model's p99 rose to ${(worst ?? 0).toFixed(1)} ms under it, above its limit of ${this.#guard.liveP99Ms} ms`,
        fix: "tune when less is served, try smaller loads, or raise the limit",
      },
    };
  }

  /** Waits until the served model is well again. */
  async #calm(signal: AbortSignal): Promise<void> {
    const untilMs = this.#deps.nowMs() + MOST_WAIT_MS;
    this.#goodSeconds = 0;
    while (this.#goodSeconds < GOOD_SECONDS && this.#mayWait(untilMs, signal)) await this.#deps.pause(LOOK_MS);
  }

  /** Waits until late answers are few among all. */
  async #rest(signal: AbortSignal): Promise<void> {
    const untilMs = this.#deps.nowMs() + MOST_REST_MS;
    const isSpent = () => this.#late >= FEWEST_LATE && this.#late > MOST_LATE * this.#requests;
    while (isSpent() && this.#mayWait(untilMs, signal)) await this.#deps.pause(LOOK_MS);
  }

  #mayWait(untilMs: number, signal: AbortSignal): boolean {
    return this.#deps.nowMs() < untilMs && !signal.aborted && !this.#deps.stopAsked();
  }

  #second(second: LiveSecond | null): void {
    const { liveP99Ms } = this.#guard;
    if (second !== null) this.#worstMs = Math.max(this.#worstMs ?? 0, second.p99Ms);
    if (second !== null && liveP99Ms !== null) {
      this.#requests += second.requests;
      this.#late += second.later(liveP99Ms);
    }
    if (this.#isAbove(second)) this.#above += 1;
    this.#goodSeconds = this.#isAbove(second) ? 0 : this.#goodSeconds + 1;
    this.#onSecond(second);
  }

  #isAbove(second: LiveSecond | null): boolean {
    const { liveP99Ms } = this.#guard;
    return liveP99Ms !== null && second !== null && second.p99Ms > liveP99Ms;
  }
}
