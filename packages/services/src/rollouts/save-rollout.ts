import type { Database, Transaction } from "@nereid/db";
import type { Evidence } from "./evidence.ts";
import { addEntry, type RolloutRecord } from "./rollout-record.ts";
import { isActive, type RolloutState } from "./rollout-state.ts";

export interface RolloutChange {
  readonly state: RolloutState;
  readonly evidence: Evidence;
  readonly says: string;
  readonly by: string;
  readonly atMs: number;
}

/** Writes a new state on top of the one that was read. Null, and nothing written, when somebody else was faster. */
export async function saveState(
  tx: Transaction,
  before: RolloutRecord,
  change: RolloutChange,
): Promise<RolloutRecord | null> {
  const { state, evidence, atMs } = change;
  const history = addEntry(before.history, change);
  const endedAtMs = isActive(state) ? null : atMs;
  const { count } = await tx.rollout.updateMany({
    where: { id: before.id, revision: before.revision },
    data: {
      state: plain(state),
      phase: state.kind,
      active: isActive(state),
      evidence: plain(evidence),
      history: plain(history),
      endedAt: endedAtMs === null ? null : new Date(endedAtMs),
      revision: { increment: 1 },
    },
  });
  return count === 0 ? null : { ...before, state, evidence, history, endedAtMs, revision: before.revision + 1 };
}

/** Keeps what was measured, so that another controller can go on from there. Leaves the revision: no decision is lost with it. */
export async function saveEvidence(
  db: Database,
  { id, revision }: RolloutRecord,
  evidence: Evidence,
): Promise<boolean> {
  const { count } = await db.rollout.updateMany({ where: { id, revision }, data: { evidence: plain(evidence) } });
  return count > 0;
}

/** Plain data as a column of JSON takes it. */
export function plain(value: object) {
  return JSON.parse(JSON.stringify(value));
}
