import { setTimeout as pause } from "node:timers/promises";
import type { LoadRecord } from "../load/load-record.ts";
import { unpackRecords } from "../load/load-record.ts";
import type { GeneratorFigures } from "../load/load-window.ts";
import { nowMs } from "./clock.ts";
import { GeneratorProcess } from "./generator-process.ts";
import type { LoadSpec } from "./load-spec.ts";
import { stolenTimeMeter } from "./stolen-time.ts";

/** All processes have heard by then that they are to begin. */
const GO_AHEAD_MS = 10;

export interface FleetFlush {
  readonly records: readonly LoadRecord[];
  readonly generator: GeneratorFigures;
  /** The first failure since the last flush. */
  readonly failure: string | undefined;
}

/** The processes that make one load together. */
export class GeneratorFleet implements Disposable {
  readonly #entry: string;
  readonly #processes: GeneratorProcess[] = [];
  #active: GeneratorProcess[] = [];
  #flushedMs = 0;
  #stolen = stolenTimeMeter();

  /** `entry` is the built program of a generator. */
  constructor(entry: string) {
    this.#entry = entry;
  }

  /** Begins a load with so many processes; each takes its share. `ended` resolves when a fixed number of requests has ended. */
  async start(spec: Omit<LoadSpec, "share">, processes: number): Promise<{ readonly ended: Promise<unknown> }> {
    while (this.#processes.length < processes) this.#processes.push(new GeneratorProcess(this.#entry));
    // A process without a request in flight would have nothing to do.
    const most = spec.shape.kind === "closed" ? Math.min(processes, spec.shape.concurrency) : processes;
    this.#active = this.#processes.slice(0, Math.max(1, most));
    const ended = Promise.all(this.#active.map((one) => one.ended()));
    ended.catch(() => undefined);
    await Promise.all(
      this.#active.map((one, index) => one.prepare({ ...spec, share: { index, of: this.#active.length } })),
    );
    // Together: otherwise a burst would be as many small ones as there are processes, one after the other.
    this.#flushedMs = nowMs() + GO_AHEAD_MS;
    await Promise.all(this.#active.map((one) => one.go(this.#flushedMs)));
    await pause(Math.max(0, this.#flushedMs - nowMs()));
    this.#stolen = stolenTimeMeter();
    return { ended };
  }

  /** What ended since the last flush, and how the processes fared meanwhile. */
  async flush(): Promise<FleetFlush> {
    const flushes = await Promise.all(this.#active.map((one) => one.flush()));
    const now = nowMs();
    const seconds = Math.max(1, now - this.#flushedMs);
    this.#flushedMs = now;
    return {
      records: flushes.flatMap(({ numbers }) => unpackRecords(numbers)),
      generator: {
        cpu: Math.max(...flushes.map(({ cpuMs }) => cpuMs / seconds)),
        lagMs: Math.max(...flushes.map(({ lagMs }) => lagMs)),
        processes: this.#active.length,
        stolen: this.#stolen(),
      },
      failure: flushes.map(({ failure }) => failure).find((failure) => failure !== undefined),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#active.map((one) => one.stop()));
    this.#active = [];
  }

  [Symbol.dispose](): void {
    for (const one of this.#processes) one.close();
  }
}
