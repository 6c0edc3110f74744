import { createHash } from "node:crypto";
import type { AuditEvent } from "@nereid/db";

/** What the first row of the trail has for the hash of the row before it. */
export const CHAIN_START = "0".repeat(64);

/** Key of the setting that holds number and hash of the newest row: it makes the removal of the newest rows visible too. */
export const CHAIN_HEAD_KEY = "audit-chain-head";

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { seq: 0, hash: CHAIN_START };

/** A row without its own hash. */
export type UnsealedRow = Omit<AuditEvent, "hash">;

/**
 * The trail is a chain: each row has a number without gaps, the hash of the row before it, and its own hash over all of that. A row
 * that is edited, removed, inserted or moved breaks the chain from there on. The chain shows tampering by somebody who does not
 * also recompute every later row and the head; exported copies show that too.
 */
export function hashOfRow(row: UnsealedRow): string {
  return createHash("sha256")
    .update(
      canonicalJson({
        id: row.id,
        seq: row.seq,
        previousHash: row.previousHash,
        at: row.at.toISOString(),
        actorId: row.actorId,
        actorKind: row.actorKind,
        actorName: row.actorName,
        action: row.action,
        targetType: row.targetType,
        targetId: row.targetId,
        reason: row.reason,
        before: row.before,
        after: row.after,
        outcome: row.outcome,
        requestId: row.requestId,
      }),
    )
    .digest("hex");
}

/** JSON with the fields of every object in order, so that it does not depend on how a database keeps them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${fields.join(",")}}`;
}

/** The head as its setting holds it. Throws when that is not a head: somebody has edited it. */
export function parseHead(text: string): ChainHead {
  const [seq, hash] = text.split(" ");
  if (!/^\d+$/.test(seq ?? "") || !/^[0-9a-f]{64}$/.test(hash ?? ""))
    throw new Error("the setting audit-chain-head was changed by somebody else; restore it from a backup");
  return { seq: Number(seq), hash: hash ?? "" };
}

export function formatHead(head: ChainHead): string {
  return `${head.seq} ${head.hash}`;
}
