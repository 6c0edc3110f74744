import { randomUUID } from "node:crypto";
import type { Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { writeTransaction } from "../write-transaction.ts";
import { ownerOf } from "./preferences.ts";

const MOST_VIEWS = 50;
const PREFIX = "view:";

const viewName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((name) => !/[\p{Cc}\p{Surrogate}]/u.test(name), "is not a name: it has a control character");
const viewPath = z
  .string()
  .max(2_000)
  // A browser reads "//" and "/\" as the beginning of another site's address.
  .refine(
    (path) => /^\/(?![/\\])[^\s\p{Cc}\\]*$/u.test(path),
    "is no address of a page: give path and query, as /models?q=a",
  );
const viewId = z.string().min(1).max(100);

export const saveViewInput = z.object({ name: viewName, path: viewPath });
export const renameViewInput = z.object({ id: viewId, name: viewName });
export const viewInput = z.object({ id: viewId });

const kept = z.object({ name: z.string(), path: viewPath });

/** An address of the dashboard that somebody has given a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** Path and query. */
  readonly path: string;
}

type Rows = Pick<Transaction, "preference">;

/** The caller's own views by name, a key's those of its owner. */
export async function listViews({ ctx }: Pick<Call, "ctx">): Promise<SavedView[]> {
  return viewsOf(ctx.db, ownerOf(ctx.actor));
}

/** Keeps an address under a name. CONFLICT when the name is taken, or there are 50 already. */
export async function saveView({ ctx, input }: Call<z.input<typeof saveViewInput>>): Promise<SavedView> {
  const { name, path } = parseInput(saveViewInput, input);
  const userId = ownerOf(ctx.actor);
  return writeTransaction(ctx.db, async (tx) => {
    const views = await viewsOf(tx, userId);
    refuseTaken(views, name);
    if (views.length >= MOST_VIEWS) {
      throw new NereidError("CONFLICT", `you have ${MOST_VIEWS} views already`, {
        fix: "delete those you do not need",
      });
    }
    const id = randomUUID();
    await tx.preference.create({ data: { userId, key: `${PREFIX}${id}`, value: { name, path } } });
    return { id, name, path };
  });
}

/** Gives a view another name. NOT_FOUND when it is not the caller's, CONFLICT when the name is taken. */
export async function renameView({ ctx, input }: Call<z.input<typeof renameViewInput>>): Promise<SavedView> {
  const { id, name } = parseInput(renameViewInput, input);
  const userId = ownerOf(ctx.actor);
  return writeTransaction(ctx.db, async (tx) => {
    const views = await viewsOf(tx, userId);
    const { path } = find(views, id);
    refuseTaken(
      views.filter((view) => view.id !== id),
      name,
    );
    await tx.preference.update({
      where: { userId_key: { userId, key: `${PREFIX}${id}` } },
      data: { value: { name, path } },
    });
    return { id, name, path };
  });
}

/** Deletes a view; answers what it was, so that it can be kept again. NOT_FOUND when it is not the caller's. */
export async function removeView({ ctx, input }: Call<z.input<typeof viewInput>>): Promise<SavedView> {
  const { id } = parseInput(viewInput, input);
  const userId = ownerOf(ctx.actor);
  return writeTransaction(ctx.db, async (tx) => {
    const view = find(await viewsOf(tx, userId), id);
    await tx.preference.delete({ where: { userId_key: { userId, key: `${PREFIX}${id}` } } });
    return view;
  });
}

async function viewsOf(db: Rows, userId: string): Promise<SavedView[]> {
  const rows = await db.preference.findMany({ where: { userId, key: { startsWith: PREFIX } } });
  return rows
    .flatMap(({ key, value }) => {
      const read = kept.safeParse(value);
      return read.success ? [{ id: key.slice(PREFIX.length), ...read.data }] : [];
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function find(views: readonly SavedView[], id: string): SavedView {
  const view = views.find((one) => one.id === id);
  if (view === undefined) {
    throw new NereidError("NOT_FOUND", `you have no view '${id}'`, { fix: "read the list again; it may be deleted" });
  }
  return view;
}

function refuseTaken(views: readonly SavedView[], name: string): void {
  if (views.every((view) => view.name !== name)) return;
  throw new NereidError("CONFLICT", `you have a view '${name}' already`, {
    fix: "choose another name, or delete that one",
  });
}
