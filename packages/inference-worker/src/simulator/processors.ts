import { EventHeap } from "./event-heap.ts";

interface Work {
  /** When it is done, on the clock that runs only as fast as the processors let each thread run. */
  readonly atNs: number;
  readonly threads: number;
  readonly onDone: () => void;
}

/** A little less than nothing: what is due by rounding alone is due. */
const ROUNDING_NS = 1e-3;

/** Processors that threads share equally: with more threads than processors each runs at the same part of its speed. */
export class Processors {
  readonly #count: number;
  readonly #work = new EventHeap<Work>();
  #threads = 0;
  #nowNs = 0;
  /** Time as each running thread has had it. */
  #grantedNs = 0;
  #busyNs = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** When the next piece of work is done if nothing else begins; Infinity without work. */
  get nearestNs(): number {
    const grantedNs = this.#work.nearestNs;
    if (grantedNs === Number.POSITIVE_INFINITY) return grantedNs;
    return this.#nowNs + Math.max(0, grantedNs - this.#grantedNs) / this.#speed;
  }

  /** Processor time used so far. */
  get busyNs(): number {
    return this.#busyNs;
  }

  /** Begins work that takes so long on threads of its own, each with a whole processor. */
  begin(nowNs: number, work: { readonly ns: number; readonly threads: number; readonly onDone: () => void }): void {
    this.#passUntil(nowNs);
    this.#work.push({ atNs: this.#grantedNs + Math.max(0, work.ns), threads: work.threads, onDone: work.onDone });
    this.#threads += work.threads;
  }

  /** Ends the work that is due now; false when there is none. */
  endNext(nowNs: number): boolean {
    this.#passUntil(nowNs);
    if (this.#work.nearestNs > this.#grantedNs + ROUNDING_NS) return false;
    const work = this.#work.pop();
    if (work === undefined) return false;
    this.#threads -= work.threads;
    work.onDone();
    return true;
  }

  get #speed(): number {
    return this.#threads <= this.#count ? 1 : this.#count / this.#threads;
  }

  #passUntil(nowNs: number): void {
    const passedNs = Math.max(0, nowNs - this.#nowNs);
    this.#grantedNs += passedNs * this.#speed;
    this.#busyNs += passedNs * Math.min(this.#threads, this.#count);
    this.#nowNs = Math.max(this.#nowNs, nowNs);
  }
}

/** One thread that does one thing after the other. */
export class SimulatedThread {
  readonly #processors: Processors;
  readonly #waiting: { readonly ns: number; readonly onDone: (nowNs: number) => void }[] = [];
  readonly #now: () => number;
  #next = 0;
  #isBusy = false;

  constructor(processors: Processors, now: () => number) {
    this.#processors = processors;
    this.#now = now;
  }

  /** Behind all that waits. */
  later(ns: number, onDone: () => void): void {
    this.#waiting.push({ ns, onDone });
    this.#go();
  }

  /** Before all that waits: it belongs to what is done now. */
  next(ns: number, onDone: () => void): void {
    if (this.#next > 0) this.#waiting[--this.#next] = { ns, onDone };
    else this.#waiting.unshift({ ns, onDone });
    this.#go();
  }

  #go(): void {
    if (this.#isBusy) return;
    const task = this.#waiting[this.#next];
    if (task === undefined) return;
    this.#next += 1;
    if (this.#next === this.#waiting.length || this.#next > 4096) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    this.#isBusy = true;
    const onDone = () => {
      task.onDone(this.#now());
      this.#isBusy = false;
      this.#go();
    };
    this.#processors.begin(this.#now(), { ns: task.ns, threads: 1, onDone });
  }
}
