import type { NodeReading, SecondBucket, SeriesBucket } from "@nereid/client";
import { ByteReader, ByteWriter } from "../history/byte-coding.ts";
import { ALL_MODELS } from "../history/history-store.ts";
import { besideSums, type SeriesSums, sumsOf } from "../history/series-sums.ts";
import { decodeSums, encodeSums } from "../history/sums-codec.ts";
import type { SeriesFilter } from "./series-filter.ts";

/** Which series of a second are wanted: those of a model, or all models added up as one series, or none but the node's reading. */
export type SecondView = SeriesFilter | "all models" | "machine";

/** The one series of the view "all models". */
export const ALL_TOGETHER: SeriesFilter = { model: ALL_MODELS };

/** A second as bytes, some twentieth of what its objects take; single models can be read out of it without the others. */
export interface PackedSecond {
  readonly t: number;
  readonly node: NodeReading | undefined;
  /** Hash of a model's name and where its series begins in `bytes`, for each series. */
  readonly places: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Optional fields by their bit: a node that does not tell something is not one that tells 0. */
const OPTIONAL = ["failures", "batchSizes", "closed", "busyNs", "instances"] as const;

/** Packs a second. Durations become whole nanoseconds; nothing else is lost. */
export function packSecond({ t, node, series }: SecondBucket): PackedSecond {
  const out = new ByteWriter();
  const places: number[] = [];
  const write = (one: Pick<SeriesBucket, "model" | "version">, told: number, sums: SeriesSums) => {
    places.push(hashOf(one.model), out.length);
    out.text(one.model);
    out.text(one.version);
    out.number(told);
    out.bytes(encodeSums(sums));
  };
  let total: SeriesSums | undefined;
  let toldByAny = 0;
  for (const one of series) {
    const sums = sumsOf(one);
    const told = OPTIONAL.reduce((bits, field, place) => (one[field] === undefined ? bits : bits | (1 << place)), 0);
    write(one, told, sums);
    toldByAny |= told;
    total = total === undefined ? sums : besideSums(total, sums);
  }
  if (total !== undefined) write({ model: ALL_MODELS, version: "" }, toldByAny, total);
  return { t, node, places: Uint32Array.from(places), bytes: out.take() };
}

/** The way back: everything, or a view of it. */
export function unpackSecond({ t, node, places, bytes }: PackedSecond, view?: SecondView): SecondBucket {
  const series: SeriesBucket[] = [];
  const wanted = view === "all models" ? ALL_TOGETHER : view;
  if (wanted !== "machine") {
    const hash = wanted === undefined ? undefined : hashOf(wanted.model);
    for (let i = 0; i < places.length; i += 2) {
      if (hash !== undefined && places[i] !== hash) continue;
      const one = readSeries(bytes.subarray(places[i + 1]), wanted);
      if (one !== undefined) series.push(one);
    }
  }
  return { t, series, ...(node !== undefined && { node }) };
}

function readSeries(bytes: Uint8Array, wanted: SeriesFilter | undefined): SeriesBucket | undefined {
  const from = new ByteReader(bytes);
  const model = from.text();
  const version = from.text();
  if (wanted === undefined ? model === ALL_MODELS : model !== wanted.model) return undefined;
  if (wanted?.version !== undefined && version !== wanted.version) return undefined;
  const told = from.number();
  const { failures, batchSizes, closed, busyNs, instances, pendingSum: _, ...sums } = decodeSums(from.bytes());
  const optional = { failures, batchSizes, closed, busyNs, instances };
  const there = OPTIONAL.filter((_field, place) => (told & (1 << place)) !== 0);
  return { model, version, ...sums, ...Object.fromEntries(there.map((field) => [field, optional[field]])) };
}

/** FNV-1a, 32 bits: names of equal hashes are told apart by the name itself. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
