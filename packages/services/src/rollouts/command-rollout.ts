import { NereidError } from "@nereid/errors";
import { begin } from "./decide-rollout.ts";
import { type Evidence, noEvidence } from "./evidence.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import { isActive, type RolloutState, stepOf } from "./rollout-state.ts";

export const ROLLOUT_COMMANDS = ["pause", "resume", "promote", "promote-fully", "abort", "give-up", "retry"] as const;

export type RolloutCommand = (typeof ROLLOUT_COMMANDS)[number];

/** What takes a second or two unless the server refuses it. */
const STUCK_MS = 60_000;

/** What a person may ask of a rollout in this state. */
export function commandsFor(state: RolloutState, nowMs: number): RolloutCommand[] {
  if (!isActive(state)) return state.kind === "promoted" ? [] : ["retry"];
  switch (state.kind) {
    case "preparing":
    case "rehearsing":
      return ["abort"];
    case "running":
      return ["pause", "promote", "promote-fully", "abort"];
    case "waiting":
      return ["pause", "promote", "promote-fully", "abort"];
    case "paused":
      return ["resume", "promote-fully", "abort"];
    // The server may refuse for ever what is wanted of it, and nothing else can be done with the model meanwhile.
    case "promoting":
    case "returning":
    case "rolling-back":
      return nowMs - state.since > STUCK_MS ? ["give-up"] : [];
    default:
      return [];
  }
}

export interface Commanded {
  readonly command: RolloutCommand;
  readonly state: RolloutState;
  readonly evidence: Evidence;
  readonly by: string;
  readonly nowMs: number;
  /** The second after which a new attempt measures. */
  readonly t: number;
}

/** The state after a person's command. CONFLICT where the state does not allow it. Pure. */
export function commandRollout(
  spec: RolloutSpec,
  { command, state, evidence, by, nowMs: since, t }: Commanded,
): { readonly state: RolloutState; readonly evidence: Evidence; readonly says: string } {
  if (!commandsFor(state, since).includes(command)) throw notNow({ command, state, nowMs: since });
  const step = stepOf(state) ?? 0;
  switch (command) {
    case "pause":
      return { state: { kind: "paused", since, step, by }, evidence, says: `Paused by ${by}` };
    case "resume":
      return { state: { kind: "running", since, step }, evidence, says: `Resumed by ${by}` };
    case "promote": {
      const next = begin(spec, { evidence, nowMs: since }, step + 1);
      return { state: next.state, evidence: next.evidence ?? evidence, says: `${next.says}; ${by} let it go on` };
    }
    case "promote-fully":
      return { state: { kind: "promoting", since, step }, evidence, says: `Promoted fully by ${by}` };
    case "abort":
      return {
        state: {
          kind: "rolling-back",
          since,
          step: stepOf(state),
          cause: { kind: "person", says: `Aborted by ${by}`, by },
        },
        evidence,
        says: `Aborted by ${by}`,
      };
    case "give-up": {
      const says = `Given up by ${by}: the traffic stays as the server divides it`;
      return { state: { kind: "aborted", since, step: null, cause: { kind: "person", says, by } }, evidence, says };
    }
    case "retry":
      return {
        state: { kind: "preparing", since },
        // What was measured in the last attempt is in its history; the false alarms that are allowed are those of one attempt.
        evidence: noEvidence(t, evidence.attempt + 1),
        says: `Tried again by ${by}`,
      };
  }
}

function notNow({ command, state, nowMs }: Pick<Commanded, "command" | "state" | "nowMs">): NereidError {
  const possible = commandsFor(state, nowMs);
  return new NereidError(
    "CONFLICT",
    `a rollout that is ${state.kind.replace("-", " ")} cannot be asked to ${command.replace("-", " ")}`,
    {
      fix: possible.length === 0 ? "look at where it stands" : `it can be asked to ${possible.join(", ")}`,
    },
  );
}
