import { type FileHandle, open, rename } from "node:fs/promises";
import type { RecordedTrace } from "./recorded-trace.ts";
import { traceJson } from "./trace-json.ts";
import type { TraceSetting } from "./trace-settings.ts";
import type { TraceSink } from "./trace-sink.ts";

export interface TraceFileSinkOptions {
  readonly file: string;
  readonly log: (text: string) => void;
  readonly lost: (traces: number) => void;
}

const MOST_WAITING = 1000;
const MOST_WAITING_BYTES = 32 << 20;
const MOST_LOGGED = 5;
const MOST_AT_ONCE = 64;
const MOST_OPEN = 8;

/**
 * Trace files as Triton writes them: JSON arrays. Without a limit all traces are in `file`; with `log_frequency` n each n are in
 * `file.0`, `file.1`, …, and with `trace_count` they are in the next of these. A file is valid JSON after every write, whenever
 * the server ends. Writing happens in the background; what comes faster than it can be written is lost and counted.
 */
export class TraceFileSink implements TraceSink {
  readonly #options: TraceFileSinkOptions;
  readonly #queue: RecordedTrace[] = [];
  readonly #numbered = new WeakMap<TraceSetting, TraceFile>();
  readonly #open = new Set<TraceFile>();
  #whole: TraceFile | undefined;
  #index = 0;
  #bytes = 0;
  #writing: Promise<void> | undefined;
  #failures = 0;

  constructor(options: TraceFileSinkOptions) {
    this.#options = options;
  }

  add(trace: RecordedTrace): boolean {
    if (this.#queue.length >= MOST_WAITING || this.#bytes > MOST_WAITING_BYTES) return false;
    this.#queue.push(trace);
    this.#bytes += trace.byteLength;
    this.#writing ??= this.#drain();
    return true;
  }

  async close(): Promise<void> {
    await this.#writing;
    for (const file of this.#open) await file.close();
    this.#open.clear();
  }

  async #drain(): Promise<void> {
    // Not in the middle of the request that ended.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#write(this.#queue.splice(0, MOST_AT_ONCE));
    this.#writing = undefined;
  }

  /** Traces of one file are written with one call. */
  async #write(traces: readonly RecordedTrace[]): Promise<void> {
    let file: TraceFile | undefined;
    let texts: string[] = [];
    const flush = async () => {
      if (file !== undefined) await this.#append(file, texts);
      texts = [];
    };
    for (const trace of traces) {
      this.#bytes -= trace.byteLength;
      const next = this.#fileOf(trace.options.setting);
      if (next !== file) await flush();
      file = next;
      texts.push(await traceJson(trace));
      if (this.#isFull(next, trace.options.setting)) {
        await flush();
        this.#open.delete(next);
        await next.close();
        file = undefined;
      }
    }
    await flush();
  }

  async #append(file: TraceFile, texts: readonly string[]): Promise<void> {
    try {
      await file.append(texts);
    } catch (error) {
      this.#options.lost(texts.length);
      this.#failures += 1;
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#failures <= MOST_LOGGED) this.#options.log(`traces could not be written: ${reason}`);
    }
  }

  /** Counts a trace of the file; true when `log_frequency` asks for the next file. */
  #isFull(file: TraceFile, setting: TraceSetting): boolean {
    file.traces += 1;
    if (setting.logFrequency === 0 || file.traces < setting.logFrequency) return false;
    this.#numbered.delete(setting);
    return true;
  }

  #fileOf(setting: TraceSetting): TraceFile {
    const { file } = this.#options;
    if (setting.logFrequency === 0 && !setting.limited) {
      this.#whole ??= new TraceFile(file);
      return this.#opened(this.#whole);
    }
    let numbered = this.#numbered.get(setting);
    if (numbered === undefined) {
      numbered = new TraceFile(`${file}.${this.#index}`);
      this.#index += 1;
      this.#numbered.set(setting, numbered);
    }
    return this.#opened(numbered);
  }

  #opened(file: TraceFile): TraceFile {
    this.#open.add(file);
    const [oldest] = this.#open;
    // Of settings that have been replaced, most likely; it opens again when a trace comes after all.
    if (this.#open.size > MOST_OPEN && oldest !== undefined && oldest !== file) {
      this.#open.delete(oldest);
      void oldest.close().catch(() => undefined);
    }
    return file;
  }
}

/** A JSON array that grows: every write replaces the closing bracket. */
class TraceFile {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #end = 0;
  /** That were meant for it. */
  traces = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async append(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    const first = this.#end === 0;
    // It appears under its name when it has its first traces.
    const path = first ? `${this.#path}.new` : this.#path;
    this.#handle ??= await open(path, first ? "w" : "r+", 0o640);
    const bytes = Buffer.from(`${first ? "[" : ",\n"}${texts.join(",\n")}]`);
    const at = first ? 0 : this.#end - 1;
    const { bytesWritten } = await this.#handle.write(bytes, 0, bytes.byteLength, at);
    if (bytesWritten < bytes.byteLength) {
      // The disk is full: back to the array as it was.
      await this.#handle.truncate(at);
      if (!first) await this.#handle.write("]", at);
      throw new Error("there is no room left");
    }
    this.#end = at + bytes.byteLength;
    if (first) await rename(path, this.#path);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}
