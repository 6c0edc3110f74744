import type { SecondBucket } from "@nereid/client";
import type { Clock } from "../clock.ts";
import { connectionState, type NodeConnection } from "./connection.ts";
import { FairTurns } from "./fair-turns.ts";
import type { SecondView } from "./packed-second.ts";
import { SecondMemory } from "./second-memory.ts";

export interface MetricsHubOptions {
  /** Opens the node's stream of buckets later than `after`; ends or throws when it breaks. */
  readonly open: (options: { after?: number; signal: AbortSignal }) => AsyncIterable<SecondBucket>;
  readonly clock: Clock;
  /** Waits before the stream is opened again. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told when the stream ends with an error that the hub will try again after. */
  readonly onError?: (error: unknown) => void;
  /** Seconds remembered; the data plane remembers as many. */
  readonly capacity?: number;
  /** Silence that counts as an outage. */
  readonly staleAfterMs?: number;
  readonly retryMs?: number;
}

export type HubEvent =
  | { readonly kind: "bucket"; readonly bucket: SecondBucket }
  | { readonly kind: "connection"; readonly connection: NodeConnection };

export interface FollowOptions {
  /** Only buckets later than this Unix second. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** What is looked at; everything when it is absent, which costs much where many models are busy. */
  readonly view?: SecondView;
}

const WATCH_MS = 1_000;
const SLICE = 10;

/**
 * One upstream stream per node, however many browsers look at it. Remembers the last seconds, resumes after a break and
 * lets every subscriber read from the memory at its own pace, so a slow one costs nothing and loses nothing.
 */
export class MetricsHub {
  readonly #options: MetricsHubOptions & { staleAfterMs: number; retryMs: number };
  readonly #memory: SecondMemory;
  readonly #sleepers = new Set<() => void>();
  readonly #turns = new FairTurns();
  readonly #stopped = new AbortController();
  #connection: NodeConnection;
  #startedAt: number | undefined;
  #lastArrival: number | undefined;
  #changes = 0;

  constructor(options: MetricsHubOptions) {
    this.#options = { staleAfterMs: 3_500, retryMs: 2_000, ...options };
    this.#memory = new SecondMemory({ capacity: options.capacity ?? 900 });
    this.#connection = { state: "connecting", since: options.clock.now() };
  }

  /** Connects; further calls do nothing. */
  start(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = this.#options.clock.now();
    const watch = setInterval(() => this.#watch(), WATCH_MS);
    watch.unref();
    this.#stopped.signal.addEventListener("abort", () => clearInterval(watch), { once: true });
    void this.#run();
  }

  /** Ends the upstream stream and every subscription. */
  stop(): void {
    this.#stopped.abort();
    this.#announce();
  }

  get connection(): NodeConnection {
    return this.#connection;
  }

  /** The newest second that is remembered; 0 before the first. */
  get newest(): number {
    return this.#memory.newest ?? 0;
  }

  /**
   * The remembered buckets later than `after` and not later than `until`, oldest first. Without a view every series of every
   * second is read: a minute of that is cheap, 15 minutes of 200 busy models are not.
   */
  recent(after: number, until = Number.POSITIVE_INFINITY, view?: SecondView): SecondBucket[] {
    return this.#memory.find({ after, until, view }).map((read) => read());
  }

  /** Where the connection stands, then remembered and live buckets, and each change of the connection. */
  async *follow({ after, signal, view }: FollowOptions): AsyncGenerator<HubEvent, void, undefined> {
    let cursor = after;
    let told: NodeConnection | undefined;
    let wake = () => {};
    const onAbort = () => wake();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      while (!signal.aborted && !this.#stopped.signal.aborted) {
        const seen = this.#changes;
        if (told !== this.#connection) {
          told = this.#connection;
          yield { kind: "connection", connection: told };
        }
        const seconds = this.#memory.find({ after: cursor, view });
        for (const [index, read] of seconds.entries()) {
          // A long memory goes out in slices, one of one follower at a time: those who ask for all of it must not hold up the
          // rest of the process.
          if (seconds.length > SLICE && index % SLICE === 0) await this.#turns.next();
          if (signal.aborted) return;
          const bucket = read();
          cursor = bucket.t;
          yield { kind: "bucket", bucket };
        }
        if (seen !== this.#changes || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
          this.#sleepers.add(resolve);
        });
        this.#sleepers.delete(wake);
      }
    } finally {
      this.#sleepers.delete(wake);
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const last = this.#memory.newest;
      try {
        for await (const bucket of this.#options.open({ signal, ...(last === undefined ? {} : { after: last }) })) {
          this.#remember(bucket);
        }
      } catch (error) {
        if (!signal.aborted) this.#options.onError?.(error);
      }
      if (!signal.aborted) await this.#options.pause(this.#options.retryMs, signal).catch(() => undefined);
    }
  }

  #remember(bucket: SecondBucket): void {
    this.#lastArrival = this.#options.clock.now();
    this.#memory.push(bucket);
    this.#watch();
    this.#announce();
  }

  #watch(): void {
    const { clock, staleAfterMs } = this.#options;
    const now = clock.now();
    const facts = { now, startedAt: this.#startedAt ?? now, lastArrival: this.#lastArrival, staleAfterMs };
    const next = connectionState(facts, this.#connection);
    if (next === this.#connection) return;
    this.#connection = next;
    this.#announce();
  }

  #announce(): void {
    this.#changes += 1;
    for (const wake of this.#sleepers) wake();
    this.#sleepers.clear();
  }
}
