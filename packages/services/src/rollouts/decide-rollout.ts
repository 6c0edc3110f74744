import { beginStep, type Evidence } from "./evidence.ts";
import { isSuspected, refutedGate, unweighedWords } from "./gates/judge-gate.ts";
import { isBaselineGone, isModelGone, noteMissing } from "./note-missing.ts";
import { effectsOf, isDivided, outputsAreFresh } from "./rollout-effects.ts";
import type { RolloutEffect, RolloutFacts, RolloutNow } from "./rollout-now.ts";
import { candidateName, type RolloutSpec } from "./rollout-spec.ts";
import { type RolloutCause, type RolloutState, stepOf } from "./rollout-state.ts";

export interface RolloutDecision {
  readonly state: RolloutState;
  readonly evidence: Evidence;
  /** In words, why the state changed; null while it stays. */
  readonly says: string | null;
  /** To be done after the state is in the database, in this order. Doing them twice is harmless. */
  readonly effects: readonly RolloutEffect[];
}

/** A candidate that is not served for this long has gone; shorter, its process may be restarting. */
const MISSING_MS = 10_000;
const PREPARING_MS = 60_000;
/** A candidate that has to be made first, or again, may take longer. Until it is there its share goes to the baseline. */
const LOADING_MS = 900_000;

/** What follows from what is known: one transition at most, and what the server still lacks for it. Pure. */
export function decideRollout(spec: RolloutSpec, now: RolloutNow): RolloutDecision {
  const evidence = noteMissing(now);
  const moved = move(spec, { ...now, evidence });
  const state = moved?.state ?? now.state;
  const seen = moved?.evidence ?? evidence;
  return {
    state,
    evidence: seen,
    says: moved?.says ?? null,
    effects: effectsOf(spec, { ...now, state, evidence: seen }),
  };
}

interface Move {
  readonly state: RolloutState;
  readonly evidence?: Evidence;
  readonly says: string;
}

function move(spec: RolloutSpec, now: RolloutNow): Move | null {
  const { state, evidence, facts, nowMs: since } = now;
  const back = reasonToGoBack(spec, now);
  if (back !== null) {
    const step = state.kind === "applying" ? state.step : stepOf(state);
    return { state: { kind: "rolling-back", since, step, cause: back }, says: back.says };
  }
  switch (state.kind) {
    case "preparing": {
      const served = facts.server?.served;
      if (served === undefined || !served.baseline || !served.candidate || !outputsAreFresh(spec, now)) return null;
      return {
        state: { kind: "rehearsing", since },
        says: "All requests go to the baseline, to know that the way back works",
      };
    }
    case "rehearsing": {
      if (evidence.baselineMissingSince !== null) return null;
      if (!isDivided(spec, now) || since - state.since < spec.rehearsalSeconds * 1000) return null;
      return begin(spec, now, 0);
    }
    case "running":
    case "waiting": {
      if (isBaselineGone(now)) {
        return {
          state: { kind: "paused", since, step: state.step, by: "rollout" },
          says: `Paused: version ${spec.baseline}, the baseline, is no longer served. Load it and resume, promote the candidate fully, or abort`,
        };
      }
      if (state.kind === "waiting") return null;
      const step = spec.steps[state.step];
      const done = evidence.current;
      if (step === undefined || done === null || !isDivided(spec, now) || !outputsAreFresh(spec, now)) return null;
      if (done.seconds < step.seconds || done.candidate.requests < step.requests || isSuspected(spec, evidence))
        return null;
      if (!step.manual) return begin(spec, now, state.step + 1);
      return {
        state: { ...state, kind: "waiting", since },
        says: `Step ${state.step + 1} is through and waits for a person`,
      };
    }
    case "promoting":
      if (!isDivided(spec, now)) return null;
      return spec.config === null
        ? { state: { kind: "promoted", since }, says: `Version ${spec.candidate} has all requests` }
        : { state: { ...state, kind: "applying", since }, says: "The model itself gets the configuration" };
    case "applying":
      return servesWithConfig(facts)
        ? { state: { ...state, kind: "returning", since }, says: "The model has it, and gets its requests back" }
        : null;
    case "returning":
      return isDivided(spec, now)
        ? { state: { kind: "promoted", since }, says: "The model serves with the new configuration" }
        : null;
    case "rolling-back": {
      const { step } = state;
      // Given up while it was applied, and done all the same: it would stay in service under the word that it was taken back.
      if (state.cause.kind === "not-applied" && step !== null && servesWithConfig(facts)) {
        return {
          state: { kind: "returning", since, step },
          says: "The model has it after all, and gets its requests back",
        };
      }
      const kind = state.cause.kind === "person" ? "aborted" : "rolled-back";
      if (isModelGone(now)) {
        const says = `The server no longer has the model ${spec.model}: it has no traffic to divide`;
        return { state: { kind, since, step, cause: { ...state.cause, says: `${state.cause.says}. ${says}` } }, says };
      }
      if (!isDivided(spec, now)) return null;
      const { cause } = state;
      return {
        state: { kind, since, step, cause },
        says: `Version ${spec.baseline} has all requests again${facts.server?.served.baseline === false ? ", once it is loaded: it is not served now" : ""}`,
      };
    }
    default:
      return null;
  }
}

/** The step of this number, or promotion after the last. Also what a person asks for by promoting a step. */
export function begin(
  spec: RolloutSpec,
  { evidence, nowMs: since }: Pick<RolloutNow, "evidence" | "nowMs">,
  step: number,
): Move {
  const next = spec.steps[step];
  const { current } = evidence;
  if (next === undefined) {
    const unweighed = unweighedWords(spec, current === null ? evidence.past : [...evidence.past, current]);
    const but = unweighed === "" ? "" : `, but ${unweighed}`;
    return {
      state: { kind: "promoting", since, step: spec.steps.length - 1 },
      says: `Nothing speaks against ${candidateName(spec)}${but}; it gets all requests`,
    };
  }
  const unweighed = current === null ? "" : unweighedWords(spec, [current]);
  const before = unweighed === "" ? "" : `; in step ${step} ${unweighed}`;
  return {
    state: { kind: "running", since, step },
    evidence: beginStep(evidence, step),
    says: `Step ${step + 1} of ${spec.steps.length}: ${next.percent} % to ${candidateName(spec)}${before}`,
  };
}

const ENDING: readonly RolloutState["kind"][] = ["returning", "rolling-back", "promoted", "rolled-back", "aborted"];

/** Why the candidate must lose its requests now; null = it need not. */
function reasonToGoBack(spec: RolloutSpec, { state, evidence, facts, nowMs }: RolloutNow): RolloutCause | null {
  // Whoever asks again for what is done already is refused too.
  const isDone = state.kind === "applying" && servesWithConfig(facts);
  if (facts.refusal !== null && !ENDING.includes(state.kind) && !isDone) {
    const what = state.kind === "applying" ? "applied" : "loaded";
    return { kind: "not-applied", says: `The configuration could not be ${what}: ${facts.refusal}` };
  }
  // Whoever was away meanwhile may find it done, and a server that does not answer may have done it.
  if (state.kind === "applying" && nowMs - state.since > LOADING_MS && facts.server !== null && !isDone) {
    return {
      kind: "not-applied",
      says: `The model did not serve with the configuration within ${LOADING_MS / 60_000} minutes`,
    };
  }
  const patienceMs = spec.config === null ? PREPARING_MS : LOADING_MS;
  if (state.kind === "preparing" && nowMs - state.since > patienceMs) {
    return {
      kind: "not-served",
      says: `Both versions must be served before the first step, and were not for ${patienceMs / 60_000} minutes`,
    };
  }
  if (!["preparing", "rehearsing", "running", "waiting", "paused"].includes(state.kind)) return null;
  const { missingSince } = evidence;
  const missingMs = spec.config === null ? MISSING_MS : LOADING_MS;
  const isMissing = facts.server !== null && missingSince !== null && nowMs - missingSince >= missingMs;
  if (state.kind !== "preparing" && isMissing) {
    return { kind: "not-served", says: `The candidate, ${candidateName(spec)}, is no longer served` };
  }
  if (state.kind === "rehearsing" && isBaselineGone({ evidence, facts, nowMs })) {
    return { kind: "not-served", says: `Version ${spec.baseline}, the baseline, went before the first step` };
  }
  const refuted = refutedGate(spec, evidence);
  if (refuted === null) return null;
  const step = stepOf(state);
  const place = step === null ? "Stopped before the first step" : `Stopped at ${spec.steps[step]?.percent ?? 0} %`;
  return { kind: "gate", gate: refuted.id, says: `${place}: ${refuted.says}` };
}

/** Whether the model itself has the configuration, and serves. */
function servesWithConfig({ server }: RolloutFacts): boolean {
  return server?.isApplied === true && server.served.baseline;
}
