import type { InstanceEvent, LoadProgressStage, ModelEvent, RunnerEvent } from "@nereid/inference-worker";

export type ServerEventKind =
  | ModelEvent["kind"]
  | InstanceEvent["kind"]
  | "runner-ended"
  | "runner-restarted"
  | "runner-restart-failed";

/** Something that happened to a model. One shape for all kinds, so that who reads it needs to know none of them. */
export interface ServerEvent {
  /** Grows with every event, over restarts of the server too. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly kind: ServerEventKind;
  readonly model: string;
  /** Empty where the event is about the whole model. */
  readonly version: string;
  /** Why; empty where there is nothing to say. */
  readonly reason: string;
  /** Of `stage`. */
  readonly stage?: LoadProgressStage;
  /** Of `load-finished`: versions that take requests now. */
  readonly versions?: readonly string[];
  /** Of `load-finished`: how long it took. */
  readonly seconds?: number;
  /** Of `instance-…`: its name. */
  readonly instance?: string;
}

const REMEMBERED = 1_000;
/** A server that starts later begins above the ids of the one before. */
const IDS_PER_MS = 1_000;

/** The last events, oldest first, and those who follow them. */
export class EventLog {
  readonly #nowMs: () => number;
  readonly #readers = new Set<(event: ServerEvent) => void>();
  #rows: ServerEvent[] = [];
  #id: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#id = nowMs() * IDS_PER_MS;
  }

  /** Remembered events later than this id; all of them without one. */
  after(id = 0): readonly ServerEvent[] {
    return this.#rows.filter((event) => event.id > id);
  }

  /** Whether events between this id and the oldest that is remembered were forgotten, or may have been. */
  isGap(id: number): boolean {
    // Before the first event it is those of the server before that may be missing.
    const next = this.#rows[0]?.id ?? this.#id + 1;
    return id < next - 1;
  }

  model(event: ModelEvent): void {
    this.#add({ version: "", reason: "", ...event });
  }

  runner(subject: { readonly model: string; readonly version: string }, event: RunnerEvent): void {
    this.#add({ kind: `runner-${event.kind}`, ...subject, reason: event.kind === "restarted" ? "" : event.reason });
  }

  instance(subject: { readonly model: string; readonly version: string }, event: InstanceEvent): void {
    this.#add({ ...subject, ...event });
  }

  /** Returns how to stop. */
  subscribe(reader: (event: ServerEvent) => void): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  #add(event: Omit<ServerEvent, "id" | "atMs">): void {
    this.#id += 1;
    const row = { id: this.#id, atMs: this.#nowMs(), ...event };
    this.#rows.push(row);
    if (this.#rows.length > REMEMBERED) this.#rows.shift();
    for (const reader of [...this.#readers]) reader(row);
  }
}
