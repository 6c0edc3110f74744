import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { type PackedPoint, unpackChunk } from "./chunk-codec.ts";
import type {
  HistoryAnswer,
  HistoryPoint,
  HistoryQuery,
  HistoryReader,
  NodeHistory,
  WindowQuery,
} from "./history-reader.ts";
import type { HistoryRecorder } from "./history-recorder.ts";
import { ALL_MODELS, type HistoryStore, NODE_ITSELF, type RowQuery } from "./history-store.ts";
import type { NodeSums } from "./node-sums.ts";
import { addSums, besideSums, NO_SUMS, type SeriesSums } from "./series-sums.ts";
import { floorTo, planSteps, type StepPlan, tiersFor } from "./step-tiers.ts";
import { NODE, SERIES } from "./tier-memory.ts";

export interface OwnReaderOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  /** What is recorded at this moment, by node. */
  readonly recorders: ReadonlyMap<string, HistoryRecorder>;
}

interface Found {
  readonly node: string;
  readonly model: string;
  readonly version: string;
  readonly points: readonly PackedPoint[];
}

/** Coarse enough that five minutes are read in steps of ten seconds: with 200 models single seconds would be tens of thousands. */
const TOTALS_POINTS = 30;

/** Steps of one node's series, by their beginning. */
type Steps<Value> = Map<number, Value>;

/** History out of the own database, together with what is not written yet. */
export function ownReader({ store, clock, recorders }: OwnReaderOptions): HistoryReader {
  const plan = async (query: WindowQuery & { readonly maxPoints?: number | undefined }): Promise<StepPlan> => {
    const { from, to, maxPoints } = query;
    const tiers = tiersFor(await store.historyDays());
    return planSteps({ from, to, maxPoints, now: Math.floor(clock.now() / 1000), tiers });
  };

  async function* find(wanted: RowQuery): AsyncGenerator<Found, void, undefined> {
    const { tier, from, to, models, version } = wanted;
    const fits = (model: string, one: string) =>
      (models === undefined || models.includes(model)) && (version === undefined || one === "" || one === version);
    // Memory first: a chunk that is written while the database is read would otherwise be in neither.
    const inMemory = new Set<string>();
    const fresh: Found[] = [];
    for (const [node, recorder] of recorders) {
      const memory = recorder.memoryOf(tier.step);
      if (memory === undefined || (wanted.node !== undefined && wanted.node !== node)) continue;
      for (const start of memory.starts()) {
        inMemory.add(`${start} ${node}`);
        if (start >= to || start + tier.chunkSeconds <= from) continue;
        for (const one of memory.series(start, fits)) fresh.push({ node, ...one });
      }
    }
    for await (const rows of store.rows(wanted)) {
      for (const { node, model, version: of, start, data } of rows) {
        if (inMemory.has(`${start} ${node}`)) continue;
        yield { node, model, version: of, points: await unpackChunk(data, { start, step: tier.step }) };
      }
      await turn();
    }
    yield* fresh;
  }

  return {
    range: async (query: HistoryQuery): Promise<HistoryAnswer> => {
      const planned = await plan(query);
      const { tier, step, from, to, partialFrom } = planned;
      const model = query.model ?? ALL_MODELS;
      const node = query.node === "all" ? undefined : query.node;
      const watched = new Map<string, Steps<number>>();
      const sums = new Map<string, Map<string, Steps<SeriesSums>>>();
      const models = [NODE_ITSELF, model];
      for await (const found of find({ node, tier, from, to, models, version: query.version })) {
        if (found.model === NODE_ITSELF) {
          const seconds = entry(watched, found.node, () => new Map<number, number>());
          for (const { t, bytes } of found.points) {
            if (t >= from && t < to) add(seconds, floorTo(t, step), NODE.decode(bytes).seconds, (a, b) => a + b);
          }
          continue;
        }
        const key = query.splitBy === "version" ? found.version : query.splitBy === "node" ? found.node : "";
        const ofKey = entry(sums, key, () => new Map<string, Steps<SeriesSums>>());
        const steps = entry(ofKey, `${found.node}/${found.version}`, () => new Map<number, SeriesSums>());
        for (const { t, bytes } of found.points) {
          if (t >= from && t < to) add(steps, floorTo(t, step), SERIES.decode(bytes), addSums);
        }
      }
      if (query.splitBy === "node") for (const key of watched.keys()) entry(sums, key, () => new Map());
      if (query.splitBy === undefined) entry(sums, "", () => new Map());
      const series = [...sums].sort(byKey).map(([key, parts]) => ({
        key,
        points: pointsOf([...parts.values()], secondsOf(watched, query.splitBy === "node" ? key : undefined)),
      }));
      return { step, from, to, partialFrom, series, source: "own" };
    },

    nodeRange: async (query): Promise<NodeHistory> => {
      const { tier, step, from, to, partialFrom } = await plan(query);
      const steps: Steps<NodeSums> = new Map();
      for await (const found of find({ node: query.node, tier, from, to, models: [NODE_ITSELF] })) {
        for (const { t, bytes } of found.points) {
          if (t >= from && t < to) add(steps, floorTo(t, step), NODE.decode(bytes), NODE.add);
        }
      }
      const points = [...steps].sort(byKey).map(([t, { seconds, reading }]) => ({ t, seconds, ...reading }));
      return { step, from, to, partialFrom, points, source: "own" };
    },

    totals: async (query) => {
      const { tier, from, to } = await plan({ ...query, maxPoints: TOTALS_POINTS });
      const node = query.node === "all" ? undefined : query.node;
      const sums = new Map<string, SeriesSums>();
      for await (const { model, points } of find({ node, tier, from, to })) {
        if (model === NODE_ITSELF || model === ALL_MODELS) continue;
        for (const { t, bytes } of points) {
          if (t < from || t >= to) continue;
          const there = sums.get(model);
          const one = SERIES.decode(bytes);
          sums.set(model, there === undefined ? one : addSums(there, one));
        }
      }
      return [...sums].sort(byKey).map(([model, total]) => ({ model, sums: total }));
    },

    models: async (query) => {
      const { tier, from, to } = await plan(query);
      const node = query.node === "all" ? undefined : query.node;
      const names = new Set(await store.models({ node, tier, from, to }));
      for (const [id, recorder] of recorders) {
        if (node !== undefined && id !== node) continue;
        const memory = recorder.memoryOf(tier.step);
        const starts = memory?.starts().filter((start) => start < to && start + tier.chunkSeconds > from) ?? [];
        for (const start of starts) for (const { model } of memory?.series(start) ?? []) names.add(model);
      }
      return [...names].filter((name) => name !== NODE_ITSELF && name !== ALL_MODELS).sort();
    },
  };
}

/** Seconds of data by step: of one node, or the most that any had. */
function secondsOf(watched: ReadonlyMap<string, Steps<number>>, node: string | undefined): Steps<number> {
  const seconds: Steps<number> = new Map();
  for (const [key, steps] of watched) {
    if (node !== undefined && key !== node) continue;
    for (const [t, count] of steps) add(seconds, t, count, Math.max);
  }
  return seconds;
}

function pointsOf(parts: readonly Steps<SeriesSums>[], seconds: Steps<number>): HistoryPoint[] {
  return [...seconds].sort(byKey).map(([t, watched]) => {
    const merged = parts.reduce<SeriesSums | undefined>((sum, steps) => {
      const one = steps.get(t);
      return one === undefined ? sum : sum === undefined ? one : besideSums(sum, one);
    }, undefined);
    return { t, merged: merged ?? NO_SUMS, seconds: watched };
  });
}

function byKey<Key extends string | number>([a]: readonly [Key, unknown], [b]: readonly [Key, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

function add<Value>(steps: Steps<Value>, t: number, value: Value, sum: (a: Value, b: Value) => Value): void {
  const there = steps.get(t);
  steps.set(t, there === undefined ? value : sum(there, value));
}
