import type { Clock } from "../clock.ts";
import type { MetricsHub } from "../metrics/metrics-hub.ts";
import { packChunk, unpackChunk } from "./chunk-codec.ts";
import { type ChunkData, type HistoryStore, NODE_ITSELF } from "./history-store.ts";
import type { StepTier } from "./step-tiers.ts";
import { foldSecond, NODE, type PackedSeries, SERIES, TierMemory } from "./tier-memory.ts";

export interface RecorderOptions {
  readonly nodeId: string;
  readonly hub: Pick<MetricsHub, "follow">;
  readonly store: HistoryStore;
  readonly clock: Clock;
  /** Finest first. */
  readonly tiers: readonly StepTier[];
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told once for each outage of the database. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly writeEveryMs?: number;
}

const WRITE_EVERY_MS = 10_000;
/** Chunks of a tier that wait in memory while the database cannot be written: half an hour, an hour, three hours. */
const MOST_WAITING: Readonly<Record<number, number>> = { 1: 30, 10: 6, 60: 3 };
/** Chunks back that are looked at for what is not folded into a coarser tier yet. */
const MOST_REFOLDED = 4;

/**
 * Keeps what a node measures. Seconds are written as they come; the coarser tiers are written when one of their chunks is over and are
 * made again of the finer ones after a restart. Begins after the last stored second, so that what the node remembers fills the gap.
 */
export class HistoryRecorder {
  readonly #options: RecorderOptions;
  readonly #memories: readonly TierMemory[];
  readonly #stopped = new AbortController();
  #last = 0;
  #running: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failing = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#memories = options.tiers.map((tier) => new TierMemory(tier));
  }

  /** The newest second that it knows; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Begins; further calls do nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends, and writes what is not written. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await this.#attempt(() => this.write());
  }

  /** What of a tier is not in the database, or not all of it: it takes the place of the chunks of the same beginning. */
  memoryOf(step: number): TierMemory | undefined {
    return this.#memories.find(({ tier }) => tier.step === step);
  }

  /** Writes what has to be written now. Rejects when the database does not take it; nothing is lost then. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted && !(await this.#attempt(() => this.#resume()))) await this.#pause();
    const followed = this.#follow();
    while (!signal.aborted) {
      await this.#pause();
      if (!signal.aborted) await this.#attempt(() => this.write());
      this.#bound();
    }
    await followed;
  }

  async #follow(): Promise<void> {
    for await (const event of this.#options.hub.follow({ after: this.#last, signal: this.#stopped.signal })) {
      if (event.kind !== "bucket" || event.bucket.t <= this.#last) continue;
      try {
        const second = foldSecond(event.bucket);
        for (const memory of this.#memories) memory.add(second);
      } catch (error) {
        // A second that cannot be kept must not end the recording of those after it.
        this.#options.onError?.(error);
      }
      this.#last = event.bucket.t;
    }
  }

  async #write(): Promise<void> {
    for (const [place, memory] of this.#memories.entries()) {
      const { step, chunkSeconds } = memory.tier;
      for (const start of memory.starts()) {
        const over = start + chunkSeconds <= this.#last + 1;
        if (memory.isDirty(start) && (over || place === 0)) {
          memory.setDirty(start, false);
          try {
            const rows = await packRows(memory.series(start), { start, step });
            await this.#options.store.replace({ node: this.#options.nodeId, step, start }, rows);
          } catch (error) {
            memory.setDirty(start, true);
            throw error;
          }
        }
        if (over && !memory.isDirty(start)) memory.drop(start);
      }
    }
  }

  /** Takes the newest chunk of seconds back into memory, and folds what the coarser tiers have not stored. */
  async #resume(): Promise<void> {
    const { store, nodeId } = this.#options;
    const [finest] = this.#memories;
    if (finest === undefined) return;
    // An attempt before may have come half the way.
    for (const memory of this.#memories) memory.clear();
    const newest = await store.newest(nodeId, finest.tier.step);
    if (newest === undefined) return;
    let last = 0;
    for await (const one of this.#stored(finest.tier, newest)) {
      finest.restore(one.start, one);
      if (one.model === NODE_ITSELF) last = one.points.at(-1)?.t ?? newest;
    }
    let finer = finest.tier;
    for (const memory of this.#memories.slice(1)) {
      const { tier } = memory;
      const stored = await store.newest(nodeId, tier.step);
      const earliest = last - MOST_REFOLDED * tier.chunkSeconds;
      const from = Math.max(earliest, stored === undefined ? 0 : stored + tier.chunkSeconds);
      // What the finer tier has in memory only stands in the seconds, too, and nowhere else.
      const open = this.memoryOf(finer.step)?.starts()[0] ?? Number.POSITIVE_INFINITY;
      if (finer !== finest.tier) await this.#refold(memory, { tier: finer, from, to: open });
      const rest = finer === finest.tier ? from : Math.max(from, open);
      await this.#refold(memory, { tier: finest.tier, from: rest, to: last + 1 });
      finer = tier;
    }
    this.#last = last;
  }

  async #refold(
    memory: TierMemory,
    { tier, from, to }: { readonly tier: StepTier; readonly from: number; readonly to: number },
  ): Promise<void> {
    for await (const { model, version, points } of this.#stored(tier, from)) {
      for (const { t, bytes } of points) {
        if (t < from || t >= to) continue;
        if (model === NODE_ITSELF) memory.addNode(t, NODE.decode(bytes));
        else memory.addSeries(t, { model, version, sums: SERIES.decode(bytes) });
      }
    }
  }

  async *#stored(
    tier: StepTier,
    from: number,
  ): AsyncGenerator<PackedSeries & { readonly start: number }, void, undefined> {
    const { store, nodeId, clock } = this.#options;
    const to = Math.floor(clock.now() / 1000) + tier.chunkSeconds;
    const earliest = Math.max(from, to - tier.keepSeconds - 2 * tier.chunkSeconds);
    for await (const rows of store.rows({ node: nodeId, tier, from: earliest, to })) {
      for (const { model, version, start, data } of rows) {
        yield { model, version, start, points: await unpackChunk(data, { start, step: tier.step }) };
      }
    }
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#failing = false;
      return true;
    } catch (error) {
      if (!this.#failing) this.#options.onError?.(error);
      this.#failing = true;
      return false;
    }
  }

  /** A database that stays away must not cost more and more memory: the oldest of what waits is given up. */
  #bound(): void {
    for (const memory of this.#memories) {
      const starts = memory.starts();
      const most = MOST_WAITING[memory.tier.step] ?? 3;
      for (const start of starts.slice(0, Math.max(0, starts.length - most))) memory.drop(start);
    }
  }

  async #pause(): Promise<void> {
    const { pause, writeEveryMs = WRITE_EVERY_MS } = this.#options;
    // Rejects at the stop, which the loops look at themselves.
    await pause(writeEveryMs, this.#stopped.signal).catch(() => undefined);
  }
}

/** Packing happens on other threads, one row after the other, so requests get on in between. */
async function packRows(
  series: Iterable<PackedSeries>,
  place: { readonly start: number; readonly step: number },
): Promise<ChunkData[]> {
  const rows: ChunkData[] = [];
  for (const { model, version, points } of series) {
    rows.push({ model, version, data: await packChunk(points, place) });
  }
  return rows;
}
