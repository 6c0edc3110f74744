import type { ConfigEntry } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { modelInput } from "../models/model-name.ts";
import { modelKey } from "../nodes/model-key.ts";
import { parseInput } from "../parse-input.ts";
import type { ConfigSource } from "./config-history.ts";

export const configHistoryInput = modelInput.extend({
  /** Position after which to go on, as an earlier page answered it. */
  cursor: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(50),
});

export const configEntryInput = modelInput.extend({ id: z.string().min(1).max(100) });

export interface ConfigHistoryEntry {
  readonly id: string;
  readonly at: Date;
  readonly authorName: string;
  readonly reason: string | null;
  readonly digest: string;
  readonly source: ConfigSource;
  readonly restoredFrom: string | null;
}

export interface ConfigHistoryPage {
  readonly entries: ConfigHistoryEntry[];
  readonly nextCursor: string | null;
}

/** The configurations that a model had, newest first, without their texts. */
export async function listConfigHistory({
  ctx,
  input,
}: Call<z.input<typeof configHistoryInput>>): Promise<ConfigHistoryPage> {
  authorise(ctx.actor, "model.read");
  const { name, cursor, limit } = parseInput(configHistoryInput, input);
  const rows = await ctx.db.configEntry.findMany({
    where: { model: modelKey(ctx, name), ...(cursor === undefined ? {} : { number: { lt: Number(cursor) } }) },
    orderBy: { number: "desc" },
    take: limit + 1,
    omit: { text: true },
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(toEntry),
    nextCursor: rows.length > limit && last !== undefined ? String(last.number) : null,
  };
}

/** One configuration with its text. NOT_FOUND for an id that is not of this model. */
export async function getConfigEntry({
  ctx,
  input,
}: Call<z.input<typeof configEntryInput>>): Promise<ConfigHistoryEntry & { readonly text: string }> {
  authorise(ctx.actor, "model.read");
  const row = await findEntry(ctx, parseInput(configEntryInput, input));
  return { ...toEntry(row), text: row.text };
}

export async function findEntry(
  ctx: Pick<ServiceContext, "db" | "nodeId">,
  { name, id }: z.output<typeof configEntryInput>,
): Promise<ConfigEntry> {
  const row = await ctx.db.configEntry.findFirst({ where: { id, model: modelKey(ctx, name) } });
  if (row !== null) return row;
  throw new NereidError("NOT_FOUND", `the history of '${name}' has no entry '${id}'`, {
    fix: "take the id from the list of the model's configurations",
  });
}

function toEntry(row: Omit<ConfigEntry, "text">): ConfigHistoryEntry {
  const { id, at, authorName, reason, digest, restoredFrom } = row;
  // Written by addConfigEntry only.
  return { id, at, authorName, reason, digest, source: row.source as ConfigSource, restoredFrom };
}
