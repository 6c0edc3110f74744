import { setTimeout as sleep } from "node:timers/promises";
import { type Database, isBusy, isUniqueViolation, type Transaction } from "@nereid/db";
import { CHAIN_HEAD_KEY, type ChainHead, EMPTY_CHAIN, formatHead, parseHead } from "./audit/audit-chain.ts";

const TRIES = 8;
const LIMITS = { maxWait: 20_000, timeout: 20_000 };

/** The head of the audit chain inside each open transaction, which holds its lock. */
const HEADS = new WeakMap<object, ChainHead>();

/**
 * Runs a change of the database together with its audit rows: all or nothing. Such transactions run one after the other, in this
 * process and in others: each begins by locking the head of the audit chain, which on SQLite also takes the write lock at once
 * instead of in the middle. `work` may run again when another process was in the way, so it must touch nothing but `tx`; and
 * it must not use the database beside `tx`, which on SQLite waits for this very transaction.
 */
export async function writeTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let begun = false;
    try {
      return await db.$transaction(async (tx) => {
        await lockHead(tx);
        begun = true;
        return work(tx);
      }, LIMITS);
    } catch (error) {
      // Two first rows of a new installation both create the head.
      const raced = !begun && isUniqueViolation(error);
      if (attempt >= TRIES || !(raced || isBusy(error))) throw error;
      await sleep(10 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Whether this is the inside of a writeTransaction. */
export function holdsHead(db: object): db is Transaction {
  return HEADS.has(db);
}

export function headOf(tx: Transaction): ChainHead {
  const head = HEADS.get(tx);
  if (head === undefined) throw new Error("audit rows are written inside writeTransaction");
  return head;
}

export async function moveHead(tx: Transaction, head: ChainHead): Promise<void> {
  await tx.setting.update({ where: { key: CHAIN_HEAD_KEY }, data: { value: formatHead(head) } });
  HEADS.set(tx, head);
}

async function lockHead(tx: Transaction): Promise<void> {
  const row = await tx.setting.upsert({
    where: { key: CHAIN_HEAD_KEY },
    create: { key: CHAIN_HEAD_KEY, value: formatHead(EMPTY_CHAIN) },
    update: { updatedAt: new Date() },
  });
  HEADS.set(tx, parseHead(row.value));
}
