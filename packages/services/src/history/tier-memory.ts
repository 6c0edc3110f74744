import type { SecondBucket } from "@nereid/telemetry";
import type { PackedPoint } from "./chunk-codec.ts";
import { ALL_MODELS, NODE_ITSELF } from "./history-store.ts";
import { addNodeSums, decodeNodeSums, encodeNodeSums, type NodeSums } from "./node-sums.ts";
import { type Folding, OpenSeries } from "./open-chunk.ts";
import { addSums, besideSums, type SeriesSums, sumsOf } from "./series-sums.ts";
import { floorTo, type StepTier } from "./step-tiers.ts";
import { decodeSums, encodeSums } from "./sums-codec.ts";

export const SERIES: Folding<SeriesSums> = { add: addSums, encode: encodeSums, decode: decodeSums };
export const NODE: Folding<NodeSums> = { add: addNodeSums, encode: encodeNodeSums, decode: decodeNodeSums };

/** One series of one chunk, as points in bytes. */
export interface PackedSeries {
  readonly model: string;
  readonly version: string;
  readonly points: readonly PackedPoint[];
}

interface Chunk {
  readonly start: number;
  readonly node: OpenSeries<NodeSums>;
  readonly series: Map<string, { model: string; version: string; points: OpenSeries<SeriesSums> }>;
  dirty: boolean;
}

/** What one second brings, worked out once for all tiers. */
export interface FoldedSecond {
  readonly t: number;
  readonly node: NodeSums;
  readonly series: readonly FoldedSeries[];
}

export interface FoldedSeries {
  readonly model: string;
  readonly version: string;
  readonly sums: SeriesSums;
}

/** The sums of a second: of each series, of all models together, of the node. */
export function foldSecond(bucket: SecondBucket): FoldedSecond {
  const series = bucket.series.map((one) => ({ model: one.model, version: one.version, sums: sumsOf(one) }));
  const [first, ...others] = series.map(({ sums }) => sums);
  const total = first && others.reduce(besideSums, first);
  return {
    t: bucket.t,
    node: { seconds: 1, reading: bucket.node ?? {} },
    series: total === undefined ? series : [...series, { model: ALL_MODELS, version: "", sums: total }],
  };
}

/** The chunks of one tier that are not closed, or not written yet. */
export class TierMemory {
  readonly tier: StepTier;
  readonly #chunks = new Map<number, Chunk>();

  constructor(tier: StepTier) {
    this.tier = tier;
  }

  add({ t, node, series }: FoldedSecond): void {
    this.addNode(t, node);
    for (const one of series) this.addSeries(t, one);
  }

  addNode(t: number, node: NodeSums): void {
    const chunk = this.#chunkAt(t);
    chunk.dirty = true;
    chunk.node.add(floorTo(t, this.tier.step), node);
  }

  addSeries(t: number, { model, version, sums }: FoldedSeries): void {
    const chunk = this.#chunkAt(t);
    chunk.dirty = true;
    const key = `${model}/${version}`;
    const there = chunk.series.get(key) ?? { model, version, points: new OpenSeries(SERIES) };
    there.points.add(floorTo(t, this.tier.step), sums);
    chunk.series.set(key, there);
  }

  /** Takes over what is stored of a chunk, which thereby counts as written. */
  restore(start: number, { model, version, points }: PackedSeries): void {
    const chunk = this.#chunkAt(start);
    if (model === NODE_ITSELF) {
      for (const { t, bytes } of points) chunk.node.add(t, NODE.decode(bytes));
      return;
    }
    const series = new OpenSeries(SERIES);
    for (const { t, bytes } of points) series.add(t, SERIES.decode(bytes));
    chunk.series.set(`${model}/${version}`, { model, version, points: series });
  }

  /** Beginnings of the chunks that it has, oldest first. */
  starts(): number[] {
    return [...this.#chunks.keys()].sort((a, b) => a - b);
  }

  isDirty(start: number): boolean {
    return this.#chunks.get(start)?.dirty ?? false;
  }

  setDirty(start: number, dirty: boolean): void {
    const chunk = this.#chunks.get(start);
    if (chunk !== undefined) chunk.dirty = dirty;
  }

  clear(): void {
    this.#chunks.clear();
  }

  drop(start: number): void {
    this.#chunks.delete(start);
  }

  /** The series of a chunk, those of the wanted models. */
  *series(
    start: number,
    wanted?: (model: string, version: string) => boolean,
  ): Generator<PackedSeries, void, undefined> {
    const chunk = this.#chunks.get(start);
    if (chunk === undefined) return;
    if (wanted === undefined || wanted(NODE_ITSELF, "")) {
      yield { model: NODE_ITSELF, version: "", points: chunk.node.points() };
    }
    for (const { model, version, points } of chunk.series.values()) {
      if (wanted === undefined || wanted(model, version)) yield { model, version, points: points.points() };
    }
  }

  #chunkAt(t: number): Chunk {
    const start = floorTo(t, this.tier.chunkSeconds);
    const there = this.#chunks.get(start);
    if (there !== undefined) return there;
    const chunk: Chunk = { start, node: new OpenSeries(NODE), series: new Map(), dirty: false };
    this.#chunks.set(start, chunk);
    return chunk;
  }
}
