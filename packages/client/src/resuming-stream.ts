import { setTimeout as sleep } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import type { NereidClientOptions } from "./client-types.ts";
import type { HttpTransport } from "./http-transport.ts";
import { SseParser } from "./sse-parser.ts";

const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;

export interface StreamParts {
  readonly transport: HttpTransport;
  readonly backoff: NereidClientOptions["backoff"];
}

export interface ResumedStream<T> {
  /** For messages: `bucket`. */
  readonly what: string;
  readonly path: string;
  /** Beside `after`. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Only what is later than this place. */
  readonly after: number | undefined;
  readonly placeOf: (item: T) => number;
  /** Reconnects after this many milliseconds without a byte. */
  readonly idleTimeoutMs: number;
  /** Ends the stream quietly when aborted. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A stream of server-sent JSON events over as many connections as it takes: resumes after the last one seen, waits between attempts.
 * Ends when the signal is aborted; throws what a retry cannot cure (401, 403, 404 and the other 4xx except 429).
 */
export async function* resumingStream<T>(
  parts: StreamParts,
  stream: ResumedStream<T>,
): AsyncGenerator<T, void, undefined> {
  const { signal, placeOf } = stream;
  const backoff = parts.backoff ?? exponentialBackoff;
  let { after } = stream;
  for (let attempt = 0; !isAborted(signal); attempt += 1) {
    if (attempt > 0) {
      try {
        await backoff(attempt, signal);
      } catch (thrown) {
        if (isAborted(signal)) return;
        throw thrown;
      }
      if (isAborted(signal)) return;
    }
    try {
      for await (const item of connection(parts.transport, { ...stream, after })) {
        const place = placeOf(item);
        if (after !== undefined && place <= after) continue;
        attempt = 0;
        after = place;
        yield item;
      }
    } catch (thrown) {
      if (isAborted(signal)) return;
      if (!curable(NereidError.from(thrown))) throw thrown;
    }
  }
}

async function* connection<T>(transport: HttpTransport, stream: ResumedStream<T>): AsyncGenerator<T> {
  const query = new URLSearchParams();
  if (stream.after !== undefined) query.set("after", String(stream.after));
  for (const [name, value] of Object.entries(stream.query)) if (value !== undefined) query.set(name, value);
  const suffix = query.size === 0 ? "" : `?${query.toString()}`;
  const idle = new IdleAbort(stream.idleTimeoutMs);
  const signal = stream.signal === undefined ? idle.signal : AbortSignal.any([stream.signal, idle.signal]);
  try {
    const bytes = await transport.open({
      method: "GET",
      path: `${stream.path}${suffix}`,
      headers: { accept: "text/event-stream" },
      signal,
    });
    const parser = new SseParser();
    const decoder = new TextDecoder();
    for await (const piece of bytes) {
      idle.touch();
      for (const event of parser.push(decoder.decode(piece, { stream: true })))
        if (event.type === "message") yield parse<T>(event.data, stream.what);
    }
  } catch (thrown) {
    if (idle.signal.aborted && !isAborted(stream.signal))
      throw new NereidError("UNAVAILABLE", `the ${stream.what} stream fell silent`, { cause: thrown });
    throw transport.failure(thrown, stream.signal);
  } finally {
    idle.stop();
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function parse<T>(data: string, what: string): T {
  try {
    return JSON.parse(data) as T;
  } catch (cause) {
    throw new NereidError("INTERNAL", `the ${what} stream carried something that is not JSON`, { cause });
  }
}

function curable(error: NereidError): boolean {
  return ["UNAVAILABLE", "INTERNAL", "TOO_MANY_REQUESTS", "UNKNOWN", "CANCELLED"].includes(error.code);
}

async function exponentialBackoff(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const ms = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  await sleep(ms, undefined, signal === undefined ? {} : { signal });
}

/** Aborts after a time without `touch()`. */
class IdleAbort {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    // Also frees the connection when the consumer left the loop early.
    this.#controller.abort();
  }
}
