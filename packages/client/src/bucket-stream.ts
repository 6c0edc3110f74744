import { setTimeout as sleep } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import type { BucketStreamOptions, NereidClientOptions } from "./client-types.ts";
import type { HttpTransport } from "./http-transport.ts";
import type { SecondBucket } from "./management-types.ts";
import { SseParser } from "./sse-parser.ts";

const IDLE_TIMEOUT_MS = 15_000;
const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;

export interface BucketStreamParts {
  readonly transport: HttpTransport;
  readonly backoff: NereidClientOptions["backoff"];
}

/**
 * The bucket stream over as many connections as it takes: resumes after the last bucket seen, waits between attempts.
 * Ends when the signal is aborted; throws what a retry cannot cure (401, 403, 404 and the other 4xx except 429).
 */
export async function* bucketStream(
  parts: BucketStreamParts,
  options: BucketStreamOptions,
): AsyncGenerator<SecondBucket, void, undefined> {
  const { signal } = options;
  const backoff = parts.backoff ?? exponentialBackoff;
  let after = options.after;
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
      for await (const bucket of connection(parts.transport, {
        ...options,
        ...(after === undefined ? {} : { after }),
      })) {
        if (after !== undefined && bucket.t <= after) continue;
        attempt = 0;
        after = bucket.t;
        yield bucket;
      }
    } catch (thrown) {
      if (isAborted(signal)) return;
      if (!curable(NereidError.from(thrown))) throw thrown;
    }
  }
}

async function* connection(transport: HttpTransport, options: BucketStreamOptions): AsyncGenerator<SecondBucket> {
  const query = new URLSearchParams();
  if (options.after !== undefined) query.set("after", String(options.after));
  if (options.model !== undefined) query.set("model", options.model);
  const suffix = query.size === 0 ? "" : `?${query.toString()}`;
  const idle = new IdleAbort(options.idleTimeoutMs ?? IDLE_TIMEOUT_MS);
  const signal = options.signal === undefined ? idle.signal : AbortSignal.any([options.signal, idle.signal]);
  try {
    const stream = await transport.open({
      method: "GET",
      path: `/nereid/v1/buckets${suffix}`,
      headers: { accept: "text/event-stream" },
      signal,
    });
    const parser = new SseParser();
    const decoder = new TextDecoder();
    for await (const piece of stream) {
      idle.touch();
      for (const event of parser.push(decoder.decode(piece, { stream: true }))) yield parseBucket(event.data);
    }
  } catch (thrown) {
    if (idle.signal.aborted && !isAborted(options.signal))
      throw new NereidError("UNAVAILABLE", "the bucket stream fell silent", { cause: thrown });
    throw transport.failure(thrown, options.signal);
  } finally {
    idle.stop();
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function parseBucket(data: string): SecondBucket {
  try {
    return JSON.parse(data) as SecondBucket;
  } catch (cause) {
    throw new NereidError("INTERNAL", "the bucket stream carried something that is not JSON", { cause });
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
