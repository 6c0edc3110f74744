import type { Database } from "@nereid/db";
import { headOf, moveHead, writeTransaction } from "../write-transaction.ts";
import { hashOfRow } from "./audit-chain.ts";

const PAGE = 200;

/**
 * A start-up step: gives the rows of releases without a chain their numbers and hashes, oldest first, once. After that a row without a
 * number is one that somebody added from outside, and verifying says so. Answers how many rows were chained.
 */
export async function chainOldRows(db: Database): Promise<number> {
  let chained = 0;
  for (;;) {
    const done = await writeTransaction(db, async (tx) => {
      // In pages, each of which holds: a start that is interrupted goes on at the next. A chain that has begun otherwise is left alone.
      const mark = await tx.setting.findUnique({ where: { key: DONE_KEY } });
      if (mark !== null) return 0;
      const rows = await tx.auditEvent.findMany({
        where: { seq: null },
        orderBy: [{ at: "asc" }, { id: "asc" }],
        take: PAGE,
      });
      for (const row of rows) {
        const head = headOf(tx);
        const sealed = { ...row, seq: head.seq + 1, previousHash: head.hash };
        const hash = hashOfRow(sealed);
        const { seq, previousHash } = sealed;
        await tx.auditEvent.update({ where: { id: row.id }, data: { seq, previousHash, hash } });
        await moveHead(tx, { seq, hash });
      }
      if (rows.length < PAGE) await tx.setting.create({ data: { key: DONE_KEY, value: "1" } });
      return rows.length;
    });
    chained += done;
    if (done < PAGE) return chained;
  }
}

/** Present once the rows of older releases are in the chain. */
const DONE_KEY = "audit-chain-complete";
