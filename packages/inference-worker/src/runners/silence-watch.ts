const NS_PER_MS = 1e6;

/**
 * How long a runner has been silent while this process was listening. Time in which the own event loop stood still does not
 * count: what the runner sent then is waiting to be read.
 */
export class SilenceWatch {
  readonly #intervalNs: number;
  #heardNs: number;
  #beatNs: number;

  constructor(nowNs: number, intervalMs: number) {
    this.#intervalNs = intervalMs * NS_PER_MS;
    this.#heardNs = nowNs;
    this.#beatNs = nowNs;
  }

  /** A message of the runner was read. */
  heard(nowNs: number): void {
    this.#heardNs = nowNs;
  }

  /** Called once an interval; a call that comes late tells of a stall. */
  beat(nowNs: number): void {
    const late = nowNs - this.#beatNs - this.#intervalNs;
    if (late > this.#intervalNs / 2) this.#heardNs = Math.min(nowNs, this.#heardNs + late);
    this.#beatNs = nowNs;
  }

  /** Judged at the last beat, not now: right after a stall nothing is known yet. */
  get silentMs(): number {
    return Math.max(0, this.#beatNs - this.#heardNs) / NS_PER_MS;
  }
}
