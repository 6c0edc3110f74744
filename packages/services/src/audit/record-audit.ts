import { createHash, randomUUID } from "node:crypto";
import type { AuditEvent, Database, Transaction } from "@nereid/db";
import type { Actor } from "../access/actor.ts";
import type { Clock } from "../clock.ts";
import { LOCAL_NODE } from "../nodes/managed-node.ts";
import { headOf, holdsHead, moveHead, writeTransaction } from "../write-transaction.ts";
import { hashOfRow, type UnsealedRow } from "./audit-chain.ts";
import { cleanText, redact } from "./redact.ts";

export type AuditOutcome = "succeeded" | "failed";

export interface AuditEntry {
  /** `entity.verb`, e.g. model.load. */
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly outcome: AuditOutcome;
  readonly reason?: string | undefined;
  /** Of all entries with this key, the first of each minute becomes a row: for what others can repeat at will. */
  readonly oncePerMinute?: string;
  /** State before and after as plain JSON; never secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditContext {
  /** The client, or the transaction (of `writeTransaction`) that makes the change. */
  readonly db: Database | Transaction;
  readonly clock: Clock;
  readonly requestId: string;
  /** The node that the request was for; named in the rows of what lies on a node, unless it is the local one. */
  readonly nodeId?: string;
  readonly nodes?: readonly { readonly id: string; readonly name: string }[];
  readonly actor: Pick<Actor, "name"> & { readonly id: string | null; readonly kind?: Actor["kind"] };
}

/** Adds one row to the end of the audit trail; in the caller's transaction when `ctx.db` is one. Answers the row's id. */
export async function recordAudit({ ctx, input }: { ctx: AuditContext; input: AuditEntry }): Promise<string> {
  const now = ctx.clock.now();
  const { oncePerMinute } = input;
  const id = oncePerMinute === undefined ? randomUUID() : idOfMinute(input.action, oncePerMinute, now);
  const known = async (db: Database | Transaction) =>
    oncePerMinute !== undefined && (await db.auditEvent.findUnique({ where: { id }, select: { id: true } })) !== null;
  // Asked before the lock is taken too: what can be repeated at will must not hold up those who work.
  if (await known(ctx.db)) return id;
  const append = async (tx: Transaction): Promise<string> => {
    if (!(await known(tx))) await appendRow(tx, rowOf(ctx, input, { id, at: new Date(now) }));
    return id;
  };
  if (holdsHead(ctx.db)) return append(ctx.db);
  // What is no such transaction is the client: the type Transaction cannot be had in another way.
  return writeTransaction(ctx.db as Database, append);
}

function rowOf(
  ctx: AuditContext,
  input: AuditEntry,
  { id, at }: Pick<AuditEvent, "id" | "at">,
): Omit<UnsealedRow, "seq" | "previousHash"> {
  // Redacted values are what JSON.parse answers.
  const json = (value: unknown) => (redact(value) ?? null) as AuditEvent["before"];
  return {
    id,
    at,
    actorId: ctx.actor.id,
    actorKind: ctx.actor.kind ?? (ctx.actor.id === null ? "system" : "user"),
    actorName: cleanText(ctx.actor.name),
    action: input.action,
    targetType: input.targetType,
    targetId: cleanText(input.targetId),
    outcome: input.outcome,
    reason: input.reason === undefined ? null : cleanText(input.reason),
    requestId: ctx.requestId,
    before: json(input.before),
    after: json(withNode(ctx, input)),
  };
}

/** Kinds of targets that every node has of its own. */
const ON_NODES = new Set(["model", "draft"]);

function withNode({ nodeId, nodes = [] }: AuditContext, { targetType, after }: AuditEntry): unknown {
  const node = nodes.find(({ id }) => id === nodeId);
  if (node === undefined || node.id === LOCAL_NODE || !ON_NODES.has(targetType)) return after;
  const place = { node: node.name, nodeId: node.id };
  return typeof after === "object" && after !== null ? { ...after, ...place } : place;
}

async function appendRow(tx: Transaction, content: Omit<UnsealedRow, "seq" | "previousHash">): Promise<void> {
  const head = headOf(tx);
  const row = { ...content, seq: head.seq + 1, previousHash: head.hash };
  const hash = hashOfRow(row);
  const { before, after, ...plain } = row;
  await tx.auditEvent.create({
    data: { ...plain, hash, ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) },
  });
  await moveHead(tx, { seq: row.seq, hash });
}

/** The same for all entries of one key and minute, also of several processes. */
function idOfMinute(action: string, key: string, now: number): string {
  const minute = Math.floor(now / 60_000);
  return createHash("sha256").update(`${minute}\n${action}\n${key}`).digest("hex").slice(0, 32);
}
