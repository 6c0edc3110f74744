import type { RolloutRecord } from "./rollout-record.ts";

/** Where a rollout stands or how it ended, in a sentence. Pure. */
export function verdictOf({ spec, state, evidence }: Pick<RolloutRecord, "spec" | "state" | "evidence">): string {
  const { baseline, candidate, steps } = spec;
  switch (state.kind) {
    case "preparing":
      return `Looks whether versions ${baseline} and ${candidate} are served and answer alike`;
    case "rehearsing":
      return `Rehearses the way back: all requests to version ${baseline}`;
    case "running":
    case "waiting":
    case "paused": {
      const place = `Step ${state.step + 1} of ${steps.length}: ${steps[state.step]?.percent ?? 0} % to version ${candidate}`;
      const end = {
        running: "",
        waiting: "; a person lets it go on",
        paused: `; paused by ${"by" in state ? state.by : ""}`,
      };
      return place + end[state.kind];
    }
    case "promoting":
      return `Gives version ${candidate} all requests`;
    case "promoted": {
      const all = [...evidence.past, ...(evidence.current === null ? [] : [evidence.current])];
      const requests = all.reduce((sum, step) => sum + step.candidate.requests, 0);
      return `Promoted after ${requests} requests to version ${candidate}, which no gate found worse`;
    }
    default:
      return state.cause.says;
  }
}
