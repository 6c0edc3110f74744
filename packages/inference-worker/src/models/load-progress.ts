import type { Clock } from "../time/clock.ts";

/** What a load is doing: waits its turn, reads files, waits for memory, then the stages of its process. */
export type LoadProgressStage = "queued" | "reading" | "memory" | "starting" | "loading" | "instances" | "warm-up";

export interface LoadInProgress {
  /** Empty as long as the versions are not known. */
  readonly version: string;
  readonly stage: LoadProgressStage;
  /** Unix milliseconds at which the stage began. */
  readonly sinceMs: number;
  /** Milliseconds since the load was asked for. */
  readonly elapsedMs: number;
}

/** What happens to models, for people and for whoever follows them. */
export type ModelEvent =
  | { readonly kind: "load-started"; readonly model: string }
  | { readonly kind: "stage"; readonly model: string; readonly version: string; readonly stage: LoadProgressStage }
  | {
      readonly kind: "load-finished";
      readonly model: string;
      readonly versions: readonly string[];
      readonly seconds: number;
    }
  | { readonly kind: "load-failed"; readonly model: string; readonly reason: string }
  | { readonly kind: "load-cancelled"; readonly model: string }
  | { readonly kind: "unloaded"; readonly model: string }
  | { readonly kind: "evicted"; readonly model: string; readonly reason: "idle" | "memory" }
  | { readonly kind: "traffic-changed"; readonly model: string };

interface Row {
  readonly stage: LoadProgressStage;
  readonly sinceMs: number;
}

/** One load from the moment it is asked for to its end. */
export class LoadProgress {
  readonly abort = new AbortController();
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #onStage: (version: string, stage: LoadProgressStage) => void;
  #rows = new Map<string, Row>();

  constructor(clock: Clock, onStage: (version: string, stage: LoadProgressStage) => void) {
    this.#clock = clock;
    this.#onStage = onStage;
    this.#startedMs = clock.wallMs();
    this.#rows.set("", { stage: "queued", sinceMs: this.#startedMs });
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The whole load is there; nobody is told, because it may turn out that there is nothing to do. */
  enter(stage: LoadProgressStage): void {
    this.#rows = new Map([["", { stage, sinceMs: this.#clock.wallMs() }]]);
  }

  /** One of its versions is there. */
  at(version: string, stage: LoadProgressStage): void {
    this.#rows.delete("");
    this.#rows.set(version, { stage, sinceMs: this.#clock.wallMs() });
    this.#onStage(version, stage);
  }

  get rows(): readonly LoadInProgress[] {
    const elapsedMs = this.#clock.wallMs() - this.#startedMs;
    return [...this.#rows].map(([version, row]) => ({ version, ...row, elapsedMs }));
  }
}
