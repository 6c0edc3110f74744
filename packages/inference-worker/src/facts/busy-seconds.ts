/** The last minute is told, and the second before it is what it begins from. */
const MARKS = 61;

/** How long an instance was executing in each of the last seconds. `mark` is called once a second. */
export class BusySeconds {
  readonly #at = new Float64Array(MARKS);
  readonly #busy = new Float64Array(MARKS);
  #next = 1;
  #filled = 1;

  /** Both in nanoseconds: now, and the time it was executing in all. */
  constructor(nowNs: number, busyNs = 0) {
    this.#at[0] = nowNs;
    this.#busy[0] = busyNs;
  }

  /** Returns how long it was executing since the last mark, nanoseconds. */
  mark(nowNs: number, busyNs: number): number {
    const last = (this.#next + MARKS - 1) % MARKS;
    const since = busyNs - (this.#busy[last] ?? 0);
    this.#at[this.#next] = nowNs;
    this.#busy[this.#next] = busyNs;
    this.#next = (this.#next + 1) % MARKS;
    this.#filled = Math.min(MARKS, this.#filled + 1);
    return Math.max(0, since);
  }

  /** Share of the last `seconds` (at most 60) it was executing, 0…1; of its life where that is shorter. */
  share(seconds: number, now: { readonly nowNs: number; readonly busyNs: number }): number {
    const back = Math.min(seconds, this.#filled);
    const from = (this.#next - back + 2 * MARKS) % MARKS;
    const spanNs = now.nowNs - (this.#at[from] ?? 0);
    return spanNs <= 0 ? 0 : Math.min(1, Math.max(0, (now.busyNs - (this.#busy[from] ?? 0)) / spanNs));
  }
}
