import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The end of sleep and the word of it come together about so much late; so much earlier is told. */
const AHEAD_MS = 0.15;
/** Numbers of orders begin again after it: a cell holds 31 bits and a sign. */
const MOST_ORDERS = 0x7f_ff_ff_ff;

/** In JavaScript's own words, as it goes wherever this module is bundled into. `cells`: the number of the order; `moments`: when to tell. */
const SLEEPER = `
const { parentPort, workerData } = require("node:worker_threads");
const cells = new Int32Array(workerData.cells);
const moments = new Float64Array(workerData.moments);
for (let told = 0; ; ) {
  const order = Atomics.load(cells, 0);
  if (order < 0) break;
  const leftMs = moments[0] - Number(process.hrtime.bigint()) / 1e6;
  if (order === told) Atomics.wait(cells, 0, order);
  else if (leftMs > 0) Atomics.wait(cells, 0, order, leftMs);
  else {
    told = order;
    parentPort.postMessage(order);
  }
}`;

/**
 * Wakes at given moments. Timers of the event loop come up to a millisecond and a half late, and looking at the clock all the time takes a whole
 * core from the server that is measured; a thread that sleeps is exact and takes neither.
 */
export class DueClock implements Disposable {
  readonly #thread: Worker;
  readonly #cells = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #moments = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  #order = 0;
  #wake: () => void = () => undefined;

  private constructor() {
    const workerData = { cells: this.#cells.buffer, moments: this.#moments.buffer };
    this.#thread = new Worker(SLEEPER, { eval: true, workerData });
    this.#thread.on("message", (order: number) => {
      if (order === this.#order) this.#wake();
    });
  }

  /** Resolves when the thread is there, which takes some hundredths of a second. */
  static async start(): Promise<DueClock> {
    const clock = new DueClock();
    await once(clock.#thread, "online");
    return clock;
  }

  /** Calls back a little before the moment, in milliseconds of the monotonic clock. Replaces what was asked for before. */
  wakeAt(dueMs: number, wake: () => void): void {
    this.#wake = wake;
    this.#order = (this.#order + 1) & MOST_ORDERS;
    this.#moments[0] = dueMs - AHEAD_MS;
    this.#tell(this.#order);
  }

  /** Calls back at once what was to be called back later. */
  wakeNow(): void {
    this.#order = (this.#order + 1) & MOST_ORDERS;
    const wake = this.#wake;
    this.#wake = () => undefined;
    wake();
  }

  [Symbol.dispose](): void {
    this.#order = -1;
    this.#tell(this.#order);
  }

  #tell(order: number): void {
    Atomics.store(this.#cells, 0, order);
    Atomics.notify(this.#cells, 0);
  }
}
