import type { Rollout } from "@nereid/db";
import { z } from "zod";
import { type Evidence, evidence } from "./evidence.ts";
import { type RolloutSpec, rolloutSpec } from "./rollout-spec.ts";
import { type RolloutState, rolloutState, stepOf } from "./rollout-state.ts";

export const rolloutEntry = z.object({
  /** Unix milliseconds. */
  atMs: z.number(),
  phase: z.string(),
  step: z.int().nullable(),
  says: z.string(),
  by: z.string(),
});

/** Something that was decided. */
export type RolloutEntry = z.output<typeof rolloutEntry>;

const history = z.array(rolloutEntry);
/** A person may pause and go on again and again. */
const MOST_ENTRIES = 500;

/** A rollout as it is kept. */
export interface RolloutRecord {
  readonly id: string;
  readonly node: string;
  readonly spec: RolloutSpec;
  readonly state: RolloutState;
  readonly evidence: Evidence;
  /** Oldest first. */
  readonly history: readonly RolloutEntry[];
  readonly revision: number;
  readonly createdAtMs: number;
  readonly createdByName: string;
  readonly endedAtMs: number | null;
}

export function toRollout(row: Rollout): RolloutRecord {
  return {
    id: row.id,
    node: row.node,
    // Written by this package alone; read again so that a later form is noticed here.
    spec: rolloutSpec.parse(row.spec),
    state: rolloutState.parse(row.state),
    evidence: evidence.parse(row.evidence),
    history: history.parse(row.history),
    revision: row.revision,
    createdAtMs: row.createdAt.getTime(),
    createdByName: row.createdByName,
    endedAtMs: row.endedAt?.getTime() ?? null,
  };
}

/** The history with what was decided now. Pure. */
export function addEntry(
  before: readonly RolloutEntry[],
  {
    state,
    atMs,
    says,
    by,
  }: { readonly state: RolloutState; readonly atMs: number; readonly says: string; readonly by: string },
): RolloutEntry[] {
  return [...before, { atMs, phase: state.kind, step: stepOf(state), says, by }].slice(-MOST_ENTRIES);
}
