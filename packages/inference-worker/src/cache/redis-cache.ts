import { Circuit } from "./circuit.ts";
import { decodeResponse, encodeResponse } from "./encode-response.ts";
import type { RedisLink } from "./redis-link.ts";
import type { CachedResponse, CacheUse, ResponseCache } from "./response-cache.ts";

export interface RedisCacheOptions {
  /** Begins to connect; errors are told to `onError`, any number of times. */
  readonly open: (onError: (text: string) => void) => Promise<RedisLink>;
  /** In front of every key. */
  readonly prefix: string;
  /** 0 = entries stay for as long as the service keeps them. */
  readonly ttlMs: number;
  /** A look-up that takes longer found nothing. */
  readonly timeoutMs: number;
  /** Milliseconds that only go forward. */
  readonly nowMs: () => number;
  readonly log: (text: string) => void;
}

const FAILURES = 3;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const LOG_EVERY_MS = 30_000;
/** What is not yet sent must not pile up before a slow service. */
const MOST_UNSENT_BYTES = 64 << 20;

/**
 * Responses kept in a Redis, where several servers find them. It never fails a request and holds none up for longer than the time
 * limit; while the service is not there, nobody waits at all.
 */
export class RedisCache implements ResponseCache {
  readonly #options: RedisCacheOptions;
  readonly #circuit: Circuit;
  #link: RedisLink | undefined;
  #closed = false;
  #unsentBytes = 0;
  #failures = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(options: RedisCacheOptions) {
    this.#options = options;
    const { nowMs, open } = options;
    this.#circuit = new Circuit({ failures: FAILURES, pauseMs: PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, nowMs });
    open((text) => this.#complain(text)).then(
      (link) => {
        if (this.#closed) link.close();
        else this.#link = link;
      },
      (error: unknown) => this.#complain(textOf(error)),
    );
  }

  get use(): CacheUse {
    const service = { connected: this.#link?.connected === true, failures: this.#failures };
    return { entries: 0, usedBytes: 0, limitBytes: 0, evictions: 0, service };
  }

  lookup(key: string): undefined | Promise<CachedResponse | undefined> {
    const link = this.#usable();
    return link === undefined ? undefined : this.#lookup(link, key);
  }

  insert(key: string, response: CachedResponse): void {
    const byteLength = response.outputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    const link = this.#link;
    // Never the probe of an open circuit: a service that hangs does not answer, and nobody waits for this with a time limit.
    if (link?.connected !== true || !this.#circuit.closed) return;
    if (this.#unsentBytes + byteLength > MOST_UNSENT_BYTES) return;
    const { prefix, ttlMs } = this.#options;
    this.#unsentBytes += byteLength;
    link
      .set(prefix + key, encodeResponse(response), ttlMs)
      .then(
        () => this.#circuit.succeeded(),
        (error: unknown) => this.#fail(textOf(error)),
      )
      .finally(() => {
        this.#unsentBytes -= byteLength;
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#link?.close();
    this.#link = undefined;
  }

  #usable(): RedisLink | undefined {
    const link = this.#link;
    // Without a connection there is nothing to find out by asking.
    return link?.connected === true && this.#circuit.allows() ? link : undefined;
  }

  async #lookup(link: RedisLink, key: string): Promise<CachedResponse | undefined> {
    const { prefix, timeoutMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), timeoutMs);
    });
    try {
      const value = await Promise.race([link.get(prefix + key), late]);
      if (value === "late") {
        this.#fail(`a look-up took longer than ${timeoutMs} ms`);
        return undefined;
      }
      this.#circuit.succeeded();
      return value === undefined ? undefined : decodeResponse(value);
    } catch (error) {
      this.#fail(textOf(error));
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  #fail(text: string): void {
    this.#failures += 1;
    this.#circuit.failed();
    this.#complain(text);
  }

  #complain(text: string): void {
    const { nowMs, log } = this.#options;
    if (this.#closed || nowMs() - this.#loggedMs < LOG_EVERY_MS) return;
    this.#loggedMs = nowMs();
    log(`the response cache cannot be used, requests are executed: ${text}`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
