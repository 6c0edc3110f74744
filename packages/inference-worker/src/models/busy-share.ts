/** How long an instance had been executing in all, at some moment; nanoseconds. */
interface BusyMark {
  readonly atNs: number;
  readonly busyNs: number;
}

/** The share of the last seconds an instance was executing, from marks that are set now and then. */
export class BusyShare {
  #older: BusyMark;
  #newer: BusyMark;

  constructor(nowNs: number) {
    this.#older = { atNs: nowNs, busyNs: 0 };
    this.#newer = this.#older;
  }

  /** Call it every few seconds: the share is that of one to two such spans. */
  mark(atNs: number, busyNs: number): void {
    this.#older = this.#newer;
    this.#newer = { atNs, busyNs };
  }

  /** From 0 to 1. */
  at(nowNs: number, busyNs: number): number {
    const spanNs = nowNs - this.#older.atNs;
    return spanNs <= 0 ? 0 : Math.min(1, Math.max(0, (busyNs - this.#older.busyNs) / spanNs));
  }
}
