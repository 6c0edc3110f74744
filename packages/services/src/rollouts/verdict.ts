import { unweighedWords } from "./gates/judge-gate.ts";
import type { RolloutRecord } from "./rollout-record.ts";
import { candidateName } from "./rollout-spec.ts";

/** Where a rollout stands or how it ended, in a sentence. Pure. */
export function verdictOf({ spec, state, evidence }: Pick<RolloutRecord, "spec" | "state" | "evidence">): string {
  const { baseline, steps, config } = spec;
  const candidate = candidateName(spec);
  switch (state.kind) {
    case "preparing":
      return config === null
        ? `Looks whether versions ${baseline} and ${spec.candidate} are served and answer alike`
        : "Loads the model with the new configuration beside the one that serves";
    case "rehearsing":
      return `Rehearses the way back: all requests to version ${baseline}`;
    case "running":
    case "waiting":
    case "paused": {
      const place = `Step ${state.step + 1} of ${steps.length}: ${steps[state.step]?.percent ?? 0} % to ${candidate}`;
      const end = {
        running: "",
        waiting: "; a person lets it go on",
        paused: `; paused by ${"by" in state ? state.by : ""}`,
      };
      return place + end[state.kind];
    }
    case "promoting":
      return `Gives ${candidate} all requests`;
    case "applying":
      return "All requests go to the candidate while the model gets its configuration";
    case "returning":
      return "The model has the new configuration and gets its requests back";
    case "promoted": {
      const all = [...evidence.past, ...(evidence.current === null ? [] : [evidence.current])];
      const requests = all.reduce((sum, step) => sum + step.candidate.requests, 0);
      const unweighed = unweighedWords(spec, all);
      const but = unweighed === "" ? "" : `, but ${unweighed}`;
      return `Promoted after ${requests} requests to ${candidate}, which no gate found worse${but}`;
    }
    default:
      return state.cause.says;
  }
}
