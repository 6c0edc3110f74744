import type { FlightCause, FlightRecord } from "./flight-record.ts";

export interface FlightRecorderOptions {
  /** Records kept. */
  readonly capacity: number;
  /** One request of this many is remembered whatever becomes of it; 0 = none. */
  readonly sampleEvery: number;
}

export interface FlightOutcome {
  readonly model: string;
  readonly version: string;
  readonly failed: boolean;
  readonly totalNs: number;
}

export interface FlightQuery {
  readonly id?: string;
  readonly model?: string;
  readonly version?: string;
  readonly cause?: FlightCause;
  /** Those that ended in this stretch of time, Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Those that took so long or longer, and less than so long; nanoseconds. */
  readonly leastNs?: number;
  readonly belowNs?: number;
  /** Newest first unless it says otherwise. */
  readonly order?: FlightOrder;
  /** At most this many. */
  readonly limit: number;
}

export type FlightOrder = "newest" | "slowest";

/** A request is slow when it took one and a half times as long as this share of its model's requests. */
const SLOW_QUANTILE = 0.95;
const SLOW_FACTOR = 1.5;
/** Requests of a model before any is called slow: until then the quantile is not known. */
const WARM_AFTER = 200;

interface Pace {
  seen: number;
  /** Running estimate of the quantile, nanoseconds. */
  slowNs: number;
}

/** Remembers sampled, slow and failed requests in a ring. Costs the others a comparison. */
export class FlightRecorder {
  readonly #options: FlightRecorderOptions;
  readonly #ring: FlightRecord[] = [];
  readonly #paces = new Map<string, Pace>();
  #at = 0;
  #serial = 0;
  #sampled = 0;

  constructor(options: FlightRecorderOptions) {
    this.#options = options;
  }

  /** A number for a request, ascending. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** Keeps the record that `build` makes when the outcome deserves it. */
  offer(outcome: FlightOutcome, build: (causes: readonly FlightCause[]) => FlightRecord): FlightRecord | undefined {
    const causes: FlightCause[] = [];
    const { sampleEvery, capacity } = this.#options;
    if (sampleEvery > 0 && ++this.#sampled >= sampleEvery) {
      this.#sampled = 0;
      causes.push("sampled");
    }
    if (outcome.failed) causes.push("failed");
    else if (this.#isSlow(outcome)) causes.push("slow");
    if (causes.length === 0 || capacity === 0) return undefined;
    const record = build(causes);
    this.#ring[this.#at] = record;
    this.#at = (this.#at + 1) % capacity;
    return record;
  }

  /** Newest first, or slowest first. */
  find(query: FlightQuery): readonly FlightRecord[] {
    const { limit, order = "newest" } = query;
    const enough = order === "newest" ? limit : this.#ring.length;
    const found: FlightRecord[] = [];
    for (let back = 1; back <= this.#ring.length && found.length < enough; back++) {
      const record = this.#ring[(this.#at - back + this.#ring.length * 2) % this.#ring.length];
      if (record !== undefined && isWanted(record, query)) found.push(record);
    }
    return order === "newest" ? found : found.sort((a, b) => b.totalNs - a.totalNs).slice(0, limit);
  }

  /** The model version is gone: its pace says nothing about the next one of its name. */
  forget(model: string, version: string): void {
    this.#paces.delete(`${model}/${version}`);
  }

  /** Stochastic approximation of the quantile: constant memory, and it follows a model that becomes slower. */
  #isSlow({ model, version, totalNs }: FlightOutcome): boolean {
    const key = `${model}/${version}`;
    const pace = this.#paces.get(key) ?? { seen: 0, slowNs: totalNs };
    if (pace.seen === 0) this.#paces.set(key, pace);
    pace.seen += 1;
    const slow = totalNs > pace.slowNs * SLOW_FACTOR;
    const step = Math.max(pace.slowNs, 1) * 0.05;
    pace.slowNs += totalNs > pace.slowNs ? step * SLOW_QUANTILE : -step * (1 - SLOW_QUANTILE);
    return slow && pace.seen > WARM_AFTER;
  }
}

function isWanted(record: FlightRecord, query: FlightQuery): boolean {
  const { id, model, version, cause, fromMs = 0, toMs = Number.POSITIVE_INFINITY } = query;
  const { leastNs = 0, belowNs = Number.POSITIVE_INFINITY } = query;
  if (id !== undefined && record.id !== id && `#${record.serial}` !== id) return false;
  if (model !== undefined && record.model !== model) return false;
  if (version !== undefined && record.version !== version) return false;
  if (cause !== undefined && !record.causes.includes(cause)) return false;
  if (record.totalNs < leastNs || record.totalNs >= belowNs) return false;
  const endMs = record.atMs + record.totalNs / 1e6;
  return endMs >= fromMs && endMs < toMs;
}
