import type { Database } from "@nereid/db";
import { type HeldLease, holdsLease } from "../../lease.ts";
import type { LabPhase, LabProblem } from "../lab-job.ts";
import { headOfJson } from "../lab-progress.ts";
import { type Json, toJson } from "../lab-task.ts";

/** A job that this process runs; `revision` is the one it was begun with. */
export interface HeldJob {
  readonly id: string;
  readonly revision: number;
}

/** Marks it as running here. Null when it has ended, was begun by somebody else, or the lease is another's. */
export async function beginJob(
  db: Database,
  { id, lease, nowMs }: { readonly id: string; readonly lease: HeldLease; readonly nowMs: number },
) {
  const row = await db.labJob.findUnique({ where: { id } });
  if (row === null || !row.active || !(await holdsLease(db, lease))) return null;
  const { count } = await db.labJob.updateMany({
    where: { id, active: true, revision: row.revision },
    data: { phase: "running", startedAt: row.startedAt ?? new Date(nowMs), revision: { increment: 1 } },
  });
  return count === 0 ? null : { ...row, phase: "running", revision: row.revision + 1 };
}

/** Keeps how it stands. False when the job is no longer this process's. */
export async function saveProgress(db: Database, { id, revision }: HeldJob, value: Json): Promise<boolean> {
  const data = { progress: value ?? {}, ...headOfJson(value) };
  return (await db.labJob.updateMany({ where: { id, revision }, data })).count > 0;
}

/** Keeps from where it can go on. False when the job is no longer this process's. */
export async function saveCheckpoint(db: Database, { id, revision }: HeldJob, value: Json): Promise<boolean> {
  return (await db.labJob.updateMany({ where: { id, revision }, data: { checkpoint: value ?? {} } })).count > 0;
}

/** How a job ended. */
export interface LabEnd {
  readonly phase: Exclude<LabPhase, "waiting" | "running">;
  readonly result: Json | null;
  readonly problem: LabProblem | null;
}

/** Ends it. False when the job is no longer this process's. */
export async function endJob(
  db: Database,
  { id, revision }: HeldJob,
  { phase, result, problem, atMs }: LabEnd & { readonly atMs: number },
): Promise<boolean> {
  const says = problem?.message.slice(0, 500) ?? headOfJson(result).says;
  const { count } = await db.labJob.updateMany({
    where: { id, revision },
    data: {
      phase,
      active: false,
      endedAt: new Date(atMs),
      revision: { increment: 1 },
      ...(phase === "succeeded" && { share: 1 }),
      ...(says !== undefined && { says }),
      ...(result !== null && { result }),
      ...(problem !== null && { problem: toJson(problem) ?? {} }),
    },
  });
  return count > 0;
}
