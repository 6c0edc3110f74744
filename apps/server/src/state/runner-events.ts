import type { RunnerEvent } from "@nereid/inference-worker";

/** Something a runner process did by itself. Times are Unix milliseconds. */
export interface RunnerEventRow {
  readonly atMs: number;
  readonly model: string;
  readonly version: string;
  readonly kind: RunnerEvent["kind"];
  /** Why it ended or did not come back; empty for one that did. */
  readonly reason: string;
}

const REMEMBERED = 500;

/** The last ends and restarts of runners, oldest first. */
export class RunnerEvents {
  #rows: readonly RunnerEventRow[] = [];

  get rows(): readonly RunnerEventRow[] {
    return this.#rows;
  }

  add(atMs: number, subject: { readonly model: string; readonly version: string }, event: RunnerEvent): void {
    const reason = event.kind === "restarted" ? "" : event.reason;
    this.#rows = [...this.#rows.slice(1 - REMEMBERED), { atMs, ...subject, kind: event.kind, reason }];
  }
}
