import { z } from "zod";
import type { RolloutSpec } from "./rollout-spec.ts";

/** Why a rollout ends without the candidate. */
export const rolloutCause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("gate"), gate: z.string(), says: z.string() }),
  z.object({ kind: z.literal("not-served"), says: z.string() }),
  z.object({ kind: z.literal("person"), says: z.string(), by: z.string() }),
  /** The configuration could not be brought into effect. */
  z.object({ kind: z.literal("not-applied"), says: z.string() }),
]);

export type RolloutCause = z.output<typeof rolloutCause>;

const index = z.int().min(0);
/** Unix milliseconds at which it began. */
const since = z.number();

/** Where a rollout stands. */
export const rolloutState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("preparing"), since }),
  /** All to the baseline, verified, before the first step: the way back is known to work. */
  z.object({ kind: z.literal("rehearsing"), since }),
  z.object({ kind: z.literal("running"), since, step: index }),
  z.object({ kind: z.literal("waiting"), since, step: index }),
  /** The weights stay, the gates watch on, nothing goes ahead. */
  z.object({ kind: z.literal("paused"), since, step: index, by: z.string() }),
  z.object({ kind: z.literal("promoting"), since, step: index }),
  /** Of a configuration: the candidate has all requests while the model itself gets it. */
  z.object({ kind: z.literal("applying"), since, step: index }),
  /** Of a configuration: the model has it and gets its requests back. */
  z.object({ kind: z.literal("returning"), since, step: index }),
  z.object({ kind: z.literal("promoted"), since }),
  z.object({ kind: z.literal("rolling-back"), since, step: index.nullable(), cause: rolloutCause }),
  z.object({ kind: z.literal("rolled-back"), since, step: index.nullable(), cause: rolloutCause }),
  z.object({ kind: z.literal("aborted"), since, step: index.nullable(), cause: rolloutCause }),
]);

export type RolloutState = z.output<typeof rolloutState>;
export type RolloutPhase = RolloutState["kind"];

export const ROLLOUT_PHASES = rolloutState.options.map(({ shape }) => shape.kind.value);

const ENDED: readonly RolloutPhase[] = ["promoted", "rolled-back", "aborted"];

/** Whether a controller still has something to do for it. */
export function isActive({ kind }: Pick<RolloutState, "kind">): boolean {
  return !ENDED.includes(kind);
}

/** The step whose share the candidate has; null before the first and after the last. */
export function stepOf(state: RolloutState): number | null {
  return state.kind === "running" || state.kind === "waiting" || state.kind === "paused" ? state.step : null;
}

/**
 * The weights that the server must have in this state; null where they are left as they are. The record alone decides, so that whoever
 * comes after a crash knows what to set.
 */
export function weightsOf(
  { baseline, candidate, steps }: Pick<RolloutSpec, "baseline" | "candidate" | "steps">,
  state: RolloutState,
): Readonly<Record<string, number>> | null {
  const divided = (percent: number) => ({ [baseline]: 100 - percent, [candidate]: percent });
  switch (state.kind) {
    case "preparing":
    case "rolled-back":
    case "aborted":
    case "promoted":
      return null;
    case "rehearsing":
      return divided(0);
    // The candidate is not named: a server refuses weights for what is no longer there.
    case "rolling-back":
    case "returning":
      return { [baseline]: 100 };
    case "running":
    case "waiting":
    case "paused":
      return divided(steps[state.step]?.percent ?? 0);
    case "promoting":
    case "applying":
      return divided(100);
  }
}
