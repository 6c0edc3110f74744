import { type Database, isUniqueViolation, type Transaction } from "@nereid/db";

/** Somebody's right to do what only one process may do. */
export interface HeldLease {
  readonly name: string;
  readonly holder: string;
  /** Greater than that of every earlier holder. */
  readonly fence: number;
}

export interface LeaseRequest {
  readonly name: string;
  /** Names the process. */
  readonly holder: string;
  readonly nowMs: number;
  readonly forMs: number;
}

/** Takes the lease, or holds it for longer; null while another process has it. */
export async function takeLease(db: Database, { name, holder, nowMs, forMs }: LeaseRequest): Promise<HeldLease | null> {
  const expiresAt = new Date(nowMs + forMs);
  const renewed = await db.lease.updateMany({ where: { name, holder }, data: { expiresAt } });
  if (renewed.count === 0) {
    const taken = await db.lease.updateMany({
      where: { name, expiresAt: { lt: new Date(nowMs) } },
      data: { holder, expiresAt, fence: { increment: 1 } },
    });
    if (taken.count === 0 && !(await isFirst(db, { name, holder, expiresAt }))) return null;
  }
  const row = await db.lease.findUnique({ where: { name } });
  return row === null || row.holder !== holder ? null : { name, holder, fence: row.fence };
}

/** Whether it is still held: asked in the transaction of a change, and before something is done that cannot be undone. */
export async function holdsLease(db: Database | Transaction, { name, holder, fence }: HeldLease): Promise<boolean> {
  return (await db.lease.count({ where: { name, holder, fence } })) === 1;
}

/** Lets another process take it at once. */
export async function giveLeaseBack(db: Database, { name, holder, fence }: HeldLease): Promise<void> {
  await db.lease.updateMany({ where: { name, holder, fence }, data: { expiresAt: new Date(0) } });
}

async function isFirst(
  db: Database,
  data: { readonly name: string; readonly holder: string; readonly expiresAt: Date },
): Promise<boolean> {
  if ((await db.lease.count({ where: { name: data.name } })) > 0) return false;
  try {
    await db.lease.create({ data: { ...data, fence: 1 } });
    return true;
  } catch (thrown) {
    if (isUniqueViolation(thrown)) return false;
    throw thrown;
  }
}
