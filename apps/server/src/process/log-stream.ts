import { write, writeSync } from "node:fs";

export interface LogStreamOptions {
  readonly fd: number;
  /** True: lines are collected and written in the background, at the latest after 0.2 s. False: at once. */
  readonly buffered: boolean;
}

const CHUNK_BYTES = 8192;
const FLUSH_MS = 200;
const RETRY_MS = 50;
/** What may wait for a reader; lines beyond it are lost. */
const MOST_WAITING = 8 << 20;
/** A full pipe is waited for so long, and so often, before a line that is written at once is lost. */
const PATIENCE_MS = 5;
const PATIENCE = 100;

/**
 * Writes log lines to a file, a pipe or a terminal. Nothing that happens there is an error of the server's: what cannot be written,
 * on a full disk for instance, is lost, and its number is written once there is room again.
 */
export class LogStream {
  readonly #fd: number;
  readonly #buffered: boolean;
  #waiting: string[] = [];
  #length = 0;
  #lost = 0;
  #writing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ fd, buffered }: LogStreamOptions) {
    this.#fd = fd;
    this.#buffered = buffered;
  }

  /** One line with its line feed. */
  write(line: string): void {
    if (!this.#buffered) {
      this.#writeNow(line);
      return;
    }
    if (this.#length >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#length += line.length;
    if (this.#length >= CHUNK_BYTES) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), FLUSH_MS).unref();
  }

  /** Writes what waits before the process ends; gives up on what cannot be written. */
  flushNow(): void {
    clearTimeout(this.#timer);
    for (const line of this.#waiting.splice(0)) {
      if (!this.#writeNow(line)) return;
    }
  }

  #writeNow(line: string): boolean {
    const bytes = Buffer.from(lostLine(this.#lost) + line);
    let at = 0;
    for (let tries = 0; at < bytes.length && tries < PATIENCE; ) {
      try {
        at += writeSync(this.#fd, bytes, at);
      } catch (error) {
        if (!isFull(error)) break;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE_MS);
      }
    }
    this.#lost = at < bytes.length ? this.#lost + 1 : 0;
    return at === bytes.length;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    this.#writing = true;
    const before = this.#lost;
    this.#lost = 0;
    this.#writeSome(Buffer.from(lostLine(before) + lines.join("")), 0, () => {
      this.#lost += before + lines.length;
    });
  }

  #writeSome(bytes: Buffer, from: number, onLost: () => void): void {
    write(this.#fd, bytes, from, (error, written) => {
      if (error !== null && isFull(error)) {
        setTimeout(() => this.#writeSome(bytes, from, onLost), RETRY_MS).unref();
        return;
      }
      if (error !== null) onLost();
      else if (from + written < bytes.length) {
        this.#writeSome(bytes, from + written, onLost);
        return;
      }
      this.#writing = false;
      if (this.#length >= CHUNK_BYTES) this.#start();
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#start(), FLUSH_MS).unref();
    });
  }
}

function lostLine(lost: number): string {
  return lost === 0 ? "" : `${JSON.stringify({ level: "warn", lines: lost, msg: "log lines were lost" })}\n`;
}

/** A pipe whose reader does not keep up. */
function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
