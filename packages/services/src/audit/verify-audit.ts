import type { AuditEvent, Database } from "@nereid/db";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { CHAIN_HEAD_KEY, type ChainHead, EMPTY_CHAIN, hashOfRow, parseHead } from "./audit-chain.ts";

const PAGE = 500;

export interface AuditVerdict {
  readonly ok: boolean;
  /** Rows that were looked at. */
  readonly checked: number;
  /** The first row at which the chain does not hold: an edited one, or the one after a gap. */
  readonly brokenAt: { readonly id: string; readonly at: Date } | null;
  /** What is wrong, as a sentence; null when nothing is. */
  readonly problem: string | null;
}

/** Follows the chain of the audit trail from its first row to its newest. */
export async function verifyAudit({ ctx }: Pick<Call, "ctx">): Promise<AuditVerdict> {
  authorise(ctx.actor, "audit.read");
  // Taken first: rows that are added while this runs come after it.
  const head = await readHead(ctx.db);
  if (head === undefined) return broken(0, null, "the newest number of the trail is not readable: it was edited");
  const unchained = await ctx.db.auditEvent.findFirst({ where: { seq: null }, orderBy: { at: "asc" } });
  if (unchained !== null) return broken(0, unchained, "a row without a number was added from outside");
  let last: ChainHead = EMPTY_CHAIN;
  for (;;) {
    const rows: AuditEvent[] = await ctx.db.auditEvent.findMany({
      where: { seq: { gt: last.seq, lte: head.seq } },
      orderBy: { seq: "asc" },
      take: PAGE,
    });
    for (const row of rows) {
      const problem = problemOf(row, last);
      if (problem !== undefined) return broken(last.seq, row, problem);
      last = { seq: last.seq + 1, hash: row.hash ?? "" };
    }
    if (rows.length < PAGE) break;
  }
  if (last.seq !== head.seq || last.hash !== head.hash) {
    const newest = await ctx.db.auditEvent.findFirst({ where: { seq: last.seq } });
    return broken(last.seq, newest, `rows after number ${last.seq} are missing: there were ${head.seq}`);
  }
  const beyond = await ctx.db.auditEvent.findFirst({
    where: { seq: { gt: (await readHead(ctx.db))?.seq ?? head.seq } },
  });
  if (beyond !== null) return broken(last.seq, beyond, "a row behind the newest was added from outside");
  return { ok: true, checked: last.seq, brokenAt: null, problem: null };
}

function problemOf(row: AuditEvent, last: ChainHead): string | undefined {
  if (row.seq !== last.seq + 1) return `number ${last.seq + 1} is missing before this row`;
  if (row.previousHash !== last.hash) return "this row does not follow the one before it";
  return row.hash === hashOfRow(row) ? undefined : "this row was changed after it was written";
}

function broken(checked: number, row: Pick<AuditEvent, "id" | "at"> | null, problem: string): AuditVerdict {
  return { ok: false, checked, brokenAt: row === null ? null : { id: row.id, at: row.at }, problem };
}

async function readHead(db: Database): Promise<ChainHead | undefined> {
  const setting = await db.setting.findUnique({ where: { key: CHAIN_HEAD_KEY } });
  if (setting === null) return EMPTY_CHAIN;
  try {
    return parseHead(setting.value);
  } catch {
    return undefined;
  }
}
