import type { Database } from "@nereid/db";
import { DEFAULT_HISTORY_DAYS, floorTo, type StepTier } from "./step-tiers.ts";

/** Row of the node's own readings, and of all its models together: no model can have these names. */
export const NODE_ITSELF = "";
export const ALL_MODELS = "/";

export interface ChunkRow {
  readonly node: string;
  readonly model: string;
  readonly version: string;
  readonly start: number;
  readonly data: Uint8Array;
}

export interface RowQuery {
  /** All nodes when it is absent. */
  readonly node?: string | undefined;
  readonly tier: StepTier;
  /** Unix seconds; chunks that begin before `from` and reach into the window are among the answers. */
  readonly from: number;
  readonly to: number;
  /** These models only. */
  readonly models?: readonly string[];
  readonly version?: string | undefined;
}

/** Rows of one model are small and many, rows of all models at one moment are many already. */
const CHUNKS_AT_ONCE = { one: 120, all: 2 };
const FORGET_AT_ONCE = 40;
/** Name of the setting. */
export const RETENTION_KEY = "retention";

/** Days of history that the setting `retention` (JSON, `{"historyDays": 30}`) asks for. */
export async function historyDaysOf(db: Database): Promise<number> {
  const row = await db.setting.findUnique({ where: { key: RETENTION_KEY } });
  return row === null ? DEFAULT_HISTORY_DAYS : historyDaysIn(row.value);
}

/** What a value of the setting says; what makes no sense says the default. */
export function historyDaysIn(text: string): number {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return DEFAULT_HISTORY_DAYS;
  }
  if (typeof value !== "object" || value === null || !("historyDays" in value)) return DEFAULT_HISTORY_DAYS;
  const { historyDays: days } = value;
  return typeof days === "number" && days >= 1 && days <= 3_650 ? days : DEFAULT_HISTORY_DAYS;
}

/** The table of chunks. */
export class HistoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Beginning of the newest chunk of a node that is stored; undefined without one. */
  async newest(node: string, step: number): Promise<number | undefined> {
    const where = { node, step, model: NODE_ITSELF };
    const row = await this.#db.metricChunk.findFirst({ where, orderBy: { start: "desc" }, select: { start: true } });
    return row?.start;
  }

  /** Stored rows of a window, oldest chunks first, a handful of chunks at a time. */
  async *rows({
    node,
    tier,
    from,
    to,
    models,
    version,
  }: RowQuery): AsyncGenerator<readonly ChunkRow[], void, undefined> {
    const { step, chunkSeconds } = tier;
    const slice = chunkSeconds * (models === undefined ? CHUNKS_AT_ONCE.all : CHUNKS_AT_ONCE.one);
    for (let start = floorTo(from, chunkSeconds); start < to; start += slice) {
      const rows = await this.#db.metricChunk.findMany({
        where: {
          step,
          start: { gte: start, lt: Math.min(to, start + slice) },
          ...(node !== undefined && { node }),
          ...(models !== undefined && { model: { in: [...models] } }),
          ...(version !== undefined && { version: { in: ["", version] } }),
        },
        orderBy: { start: "asc" },
      });
      if (rows.length > 0) yield rows;
    }
  }

  /** Writes all rows of one chunk of a node in place of those that are there. */
  async replace(place: { node: string; step: number; start: number }, rows: readonly ChunkData[]): Promise<void> {
    await this.#db.$transaction([
      this.#db.metricChunk.deleteMany({ where: place }),
      this.#db.metricChunk.createMany({ data: rows.map((row) => ({ ...place, ...row })) }),
    ]);
  }

  /** Removes the oldest chunks of all nodes that end before a moment, at most a few; answers whether there are more. */
  async forget({ step, chunkSeconds }: StepTier, before: number): Promise<boolean> {
    for (let done = 0; done < FORGET_AT_ONCE; done += 1) {
      const where = { step, start: { lte: before - chunkSeconds } };
      const oldest = await this.#db.metricChunk.findFirst({
        where,
        orderBy: { start: "asc" },
        select: { start: true },
      });
      if (oldest === null) return false;
      await this.#db.metricChunk.deleteMany({ where: { step, start: oldest.start } });
    }
    return true;
  }

  /** Removes all that was kept of a node. */
  async forgetNode(node: string): Promise<void> {
    await this.#db.metricChunk.deleteMany({ where: { node } });
  }

  /** Names of the models that have rows in a window. */
  async models({ node, tier, from, to }: RowQuery): Promise<string[]> {
    const rows = await this.#db.metricChunk.findMany({
      where: {
        step: tier.step,
        start: { gte: floorTo(from, tier.chunkSeconds), lt: to },
        model: { notIn: [NODE_ITSELF, ALL_MODELS] },
        ...(node !== undefined && { node }),
      },
      distinct: ["model"],
      select: { model: true },
    });
    return rows.map(({ model }) => model);
  }

  historyDays(): Promise<number> {
    return historyDaysOf(this.#db);
  }
}

export interface ChunkData {
  readonly model: string;
  readonly version: string;
  readonly data: Uint8Array<ArrayBuffer>;
}
