import { createHash, randomUUID } from "node:crypto";
import type { ConfigEntry, Database, Transaction } from "@nereid/db";
import type { BaseContext } from "../context.ts";
import { writeTransaction } from "../write-transaction.ts";

export type ConfigSource = "apply" | "restore" | "deploy" | "found";

/** Who wrote what stands on the disk and came there by no way that the control plane knows. */
export const FOUND_AUTHOR = "changed on disk";

export interface NewConfigEntry {
  readonly model: string;
  readonly text: string;
  readonly digest: string;
  readonly source: ConfigSource;
  readonly author: { readonly id: string | null; readonly name: string };
  readonly reason?: string | undefined;
  readonly restoredFrom?: string;
}

/** A configuration file as the node has it. */
export interface ConfigOnDisk {
  readonly text: string;
  readonly digest: string;
  readonly exists: boolean;
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Adds an entry behind the newest of its model, inside a writeTransaction, which keeps the numbers in order. */
export async function addConfigEntry(tx: Transaction, at: Date, entry: NewConfigEntry): Promise<string> {
  const newest = await newestEntry(tx, entry.model);
  const id = randomUUID();
  await tx.configEntry.create({
    data: {
      id,
      model: entry.model,
      number: (newest?.number ?? 0) + 1,
      at,
      authorId: entry.author.id,
      authorName: entry.author.name,
      reason: entry.reason ?? null,
      digest: entry.digest,
      source: entry.source,
      restoredFrom: entry.restoredFrom ?? null,
      text: entry.text,
    },
  });
  return id;
}

/**
 * Makes sure that the history ends with what is on the disk: a file that somebody else has changed becomes an entry of its own, so
 * that no text is lost when it is replaced. Answers the newest entry's id; null for a model without a file and history.
 */
export async function noteConfigOnDisk(
  ctx: Pick<BaseContext, "db" | "clock">,
  model: string,
  disk: ConfigOnDisk,
): Promise<string | null> {
  const known = await newestEntry(ctx.db, model);
  if (!disk.exists) return known?.id ?? null;
  if (known?.digest === disk.digest) return known.id;
  return writeTransaction(ctx.db, async (tx) => {
    const newest = await newestEntry(tx, model);
    if (newest?.digest === disk.digest) return newest.id;
    return addConfigEntry(tx, new Date(ctx.clock.now()), {
      model,
      text: disk.text,
      digest: disk.digest,
      source: "found",
      author: { id: null, name: FOUND_AUTHOR },
    });
  });
}

type Newest = Pick<ConfigEntry, "id" | "number" | "digest">;

async function newestEntry(db: Database | Transaction, model: string): Promise<Newest | null> {
  // The union of both clients has no callable method; the transaction's are the same.
  return (db as Transaction).configEntry.findFirst({
    where: { model },
    orderBy: { number: "desc" },
    select: { id: true, number: true, digest: true },
  });
}
