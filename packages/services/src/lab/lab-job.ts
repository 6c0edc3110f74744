import type { LabJob } from "@nereid/db";
import { z } from "zod";
import { type Json, LAB_KINDS, type LabKind, toJson } from "./lab-task.ts";

/** Why a job failed, as it is shown. */
export const labProblem = z.object({ code: z.string(), message: z.string(), fix: z.string().nullable() });

export type LabProblem = z.output<typeof labProblem>;

/** Unix milliseconds; null = it never began. */
const startedAtMs = z.number().nullable();
const endedAtMs = z.number();

/** Where a job stands. */
export const labState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("waiting") }),
  z.object({ kind: z.literal("running"), startedAtMs: z.number() }),
  z.object({ kind: z.literal("succeeded"), startedAtMs, endedAtMs }),
  z.object({ kind: z.literal("failed"), startedAtMs, endedAtMs, problem: labProblem }),
  z.object({ kind: z.literal("cancelled"), startedAtMs, endedAtMs }),
]);

export type LabState = z.output<typeof labState>;
export type LabPhase = LabState["kind"];

export const LAB_PHASES = labState.options.map(({ shape }) => shape.kind.value);

/** A job in a list. */
export interface LabJobSummary {
  readonly id: string;
  readonly kind: LabKind;
  readonly node: string;
  readonly model: string;
  readonly title: string;
  readonly note: string;
  readonly state: LabState;
  /** It waits or runs. */
  readonly active: boolean;
  /** Somebody wants it to stop. */
  readonly cancelAsked: boolean;
  /** How far it is, 0…1; null = not known. */
  readonly share: number | null;
  /** A line about how it stands, or about what came of it. */
  readonly says: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly createdByName: string;
}

/** A job with everything that is known of it, each in the form of its kind. */
export interface LabJobView extends LabJobSummary {
  readonly spec: Json;
  readonly progress: Json;
  readonly result: Json;
  readonly decision: Json;
}

/** What a list reads of a row: not what was measured, which is long. */
export const SUMMARY_COLUMNS = {
  id: true,
  kind: true,
  node: true,
  model: true,
  title: true,
  note: true,
  phase: true,
  active: true,
  cancelAsked: true,
  share: true,
  says: true,
  problem: true,
  createdAt: true,
  createdByName: true,
  startedAt: true,
  endedAt: true,
} as const;

type SummaryRow = Pick<LabJob, keyof typeof SUMMARY_COLUMNS>;

export function toLabSummary(row: SummaryRow): LabJobSummary {
  const { id, node, model, title, note, active, cancelAsked, share, says, createdByName } = row;
  return {
    id,
    kind: kindOf(row.kind),
    node,
    model,
    title,
    note,
    state: stateOf(row),
    active,
    cancelAsked,
    share,
    says,
    createdAtMs: row.createdAt.getTime(),
    createdByName,
  };
}

export function toLabJob(row: LabJob): LabJobView {
  const { spec, progress, result, decision } = row;
  return {
    ...toLabSummary(row),
    spec: toJson(spec),
    progress: toJson(progress),
    result: toJson(result),
    decision: toJson(decision),
  };
}

/** Throws for a kind that this release does not have. */
export function kindOf(text: string): LabKind {
  return z.enum(LAB_KINDS).parse(text);
}

function stateOf(row: Pick<LabJob, "phase" | "problem" | "startedAt" | "endedAt">): LabState {
  // Written by this package alone; read again so that a later form is noticed here.
  return labState.parse({
    kind: row.phase,
    startedAtMs: row.startedAt?.getTime() ?? null,
    endedAtMs: row.endedAt?.getTime(),
    problem: row.problem,
  });
}
