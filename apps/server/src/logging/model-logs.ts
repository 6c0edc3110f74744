import { cleanText } from "./clean-text.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the model itself printed, what happened to it, a request that was not answered, or one that was. */
export type LogSource = "runner" | "model" | "request" | "access";

/** One line about a model. */
export interface ModelLogLine {
  /** Grows with every line, over restarts of the server too. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly level: LogLevel;
  readonly source: LogSource;
  readonly model: string;
  /** Empty where the line is about the whole model. */
  readonly version: string;
  /** Empty where it is not known. */
  readonly instance: string;
  readonly requestId: string;
  readonly text: string;
}

export interface LogFilter {
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  readonly instance?: string | undefined;
  /** This level and what is graver. */
  readonly level?: LogLevel | undefined;
  /** Somewhere in the text or the request's id, whatever the case. */
  readonly q?: string | undefined;
  /** Not before this moment, Unix milliseconds. */
  readonly sinceMs?: number | undefined;
}

export interface ModelLogsOptions {
  readonly nowMs: () => number;
  readonly maxLines?: number;
  readonly maxBytes?: number;
}

type NewLine = Pick<ModelLogLine, "level" | "source" | "model" | "text"> &
  Partial<Pick<ModelLogLine, "version" | "instance" | "requestId">>;

interface Shelf {
  lines: ModelLogLine[];
  /** Lines before this one were given up; the array is cut now and then. */
  from: number;
  bytes: number;
}

interface Pace {
  second: number;
  lines: number;
  skipped: number;
}

const MAX_LINES = 5_000;
const MAX_BYTES = 2 << 20;
/** What a line takes besides its texts. */
const LINE_BYTES = 120;
const IDS_PER_MS = 1_000;
const LONGEST_NAME = 256;

/** Lines a second of one model that are kept, by source: one that fails all the time must not drown the rest. */
const PACES: Readonly<Record<LogSource, number>> = { runner: 200, model: 100, request: 10, access: 50 };

/**
 * The last lines about each model. When there is no more room, the model that takes most of it loses its oldest line, so that no model
 * can push out the lines of another one that says little.
 */
export class ModelLogs {
  readonly #options: Required<ModelLogsOptions>;
  readonly #shelves = new Map<string, Shelf>();
  readonly #paces = new Map<string, Pace>();
  readonly #readers = new Set<(line: ModelLogLine) => void>();
  #lines = 0;
  #bytes = 0;
  #id: number;
  /** The newest line that was given up. */
  #forgotten = 0;

  constructor(options: ModelLogsOptions) {
    this.#options = { maxLines: MAX_LINES, maxBytes: MAX_BYTES, ...options };
    this.#id = options.nowMs() * IDS_PER_MS;
    this.#forgotten = this.#id;
  }

  /** Id of the newest line, also when it was given up. */
  get last(): number {
    return this.#id;
  }

  add(line: NewLine): void {
    const atMs = this.#options.nowMs();
    const skipped = this.#admit(line, atMs);
    if (skipped === undefined) return;
    if (skipped > 0)
      this.#keep(
        { ...line, level: "warn", requestId: "", text: `${skipped} lines like the next one were left out` },
        atMs,
      );
    this.#keep(line, atMs);
  }

  /** Lines later than this id that fit, the oldest first; the newest `limit` of them. */
  after(id: number, filter: LogFilter = {}, limit = Number.POSITIVE_INFINITY): readonly ModelLogLine[] {
    const shelves =
      filter.model === undefined ? [...this.#shelves.values()] : [this.#shelves.get(filter.model)].filter(isThere);
    const found = shelves.flatMap(({ lines, from }) =>
      lines.slice(from).filter((line) => line.id > id && fits(line, filter)),
    );
    if (shelves.length > 1) found.sort((a, b) => a.id - b.id);
    return found.length > limit ? found.slice(found.length - limit) : found;
  }

  /** Whether lines between this id and the oldest that is remembered were given up, or may have been. */
  isGap(id: number): boolean {
    return id < this.#forgotten;
  }

  /** Returns how to stop. */
  subscribe(reader: (line: ModelLogLine) => void): () => void {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** How many lines were left out before this one; undefined when it is one too many itself. */
  #admit({ model, source }: NewLine, atMs: number): number | undefined {
    const key = `${source} ${model}`;
    const second = Math.floor(atMs / 1000);
    const pace = this.#paces.get(key) ?? { second, lines: 0, skipped: 0 };
    this.#paces.set(key, pace);
    if (pace.second !== second) {
      pace.second = second;
      pace.lines = 0;
    }
    pace.lines += 1;
    if (pace.lines > PACES[source]) {
      pace.skipped += 1;
      return undefined;
    }
    const { skipped } = pace;
    pace.skipped = 0;
    return skipped;
  }

  #keep(line: NewLine, atMs: number): void {
    this.#id += 1;
    const { level, source, version = "", instance = "", requestId = "" } = line;
    const model = line.model.slice(0, LONGEST_NAME);
    const kept: ModelLogLine = {
      id: this.#id,
      atMs,
      level,
      source,
      model,
      version,
      instance: cleanText(instance.slice(0, LONGEST_NAME)),
      requestId: cleanText(requestId.slice(0, LONGEST_NAME)),
      text: cleanText(line.text),
    };
    const shelf = this.#shelves.get(model) ?? { lines: [], from: 0, bytes: 0 };
    this.#shelves.set(model, shelf);
    shelf.lines.push(kept);
    shelf.bytes += bytesOf(kept);
    this.#bytes += bytesOf(kept);
    this.#lines += 1;
    while (this.#lines > this.#options.maxLines || this.#bytes > this.#options.maxBytes) this.#giveUp();
    for (const reader of [...this.#readers]) reader(kept);
  }

  #giveUp(): void {
    let largest: Shelf | undefined;
    let model = "";
    for (const [name, shelf] of this.#shelves) {
      if (largest !== undefined && shelf.bytes <= largest.bytes) continue;
      largest = shelf;
      model = name;
    }
    const oldest = largest?.lines[largest.from];
    if (largest === undefined || oldest === undefined) {
      this.#shelves.delete(model);
      this.#lines = 0;
      this.#bytes = 0;
      return;
    }
    largest.from += 1;
    largest.bytes -= bytesOf(oldest);
    this.#bytes -= bytesOf(oldest);
    this.#lines -= 1;
    this.#forgotten = Math.max(this.#forgotten, oldest.id);
    if (largest.from === largest.lines.length) this.#shelves.delete(model);
    else if (largest.from > 1_000) {
      largest.lines = largest.lines.slice(largest.from);
      largest.from = 0;
    }
  }
}

/** Whether a line is one of those that are asked for. */
export function fits(line: ModelLogLine, { model, version, instance, level, q, sinceMs }: LogFilter): boolean {
  if (model !== undefined && line.model !== model) return false;
  // What is about the whole model is about each of its versions.
  if (version !== undefined && line.version !== "" && line.version !== version) return false;
  if (instance !== undefined && line.instance !== instance) return false;
  if (level !== undefined && LOG_LEVELS.indexOf(line.level) < LOG_LEVELS.indexOf(level)) return false;
  if (sinceMs !== undefined && line.atMs < sinceMs) return false;
  if (q === undefined || q === "") return true;
  const wanted = q.toLowerCase();
  return line.text.toLowerCase().includes(wanted) || line.requestId.toLowerCase().includes(wanted);
}

function bytesOf({ text, requestId, instance, model }: ModelLogLine): number {
  return LINE_BYTES + 2 * (text.length + requestId.length + instance.length + model.length);
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
