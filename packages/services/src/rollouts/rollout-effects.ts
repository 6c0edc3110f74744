import type { RolloutEffect, RolloutNow } from "./rollout-now.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import { isActive, type RolloutState, stepOf, weightsOf } from "./rollout-state.ts";

/** The fixtures are sent again at each step, and after so long in one. */
const OUTPUTS_EVERY_MS = 60_000;

/** Only of a rollout of a configuration. A candidate that a restarted server lost is made again. */
function configEffects({ config }: RolloutSpec, { state, facts }: RolloutNow): RolloutEffect[] {
  if (config === null) return [];
  if (!isActive(state)) return [{ kind: "remove-candidate" }];
  if (facts.server === null) return [];
  if (state.kind === "applying") return facts.server.isApplied ? [] : [{ kind: "apply-config" }];
  const isNeeded = state.kind !== "returning" && state.kind !== "rolling-back";
  return isNeeded && !facts.server.served.candidate ? [{ kind: "add-candidate" }] : [];
}

/** Whether the fixtures were sent in this step. */
export function outputsAreFresh(spec: RolloutSpec, now: RolloutNow): boolean {
  return !needsOutputs(spec) || now.evidence.outputs?.step === outputStep(now.state);
}

function needsOutputs({ gates }: RolloutSpec): boolean {
  return gates.some(({ kind }) => kind === "outputs");
}

function outputStep(state: RolloutState): number {
  return stepOf(state) ?? -1;
}

/** Whether the server divides the traffic as this state wants it. */
export function isDivided(spec: RolloutSpec, { state, facts }: Pick<RolloutNow, "state" | "facts">): boolean {
  const wanted = weightsOf(spec, state);
  if (wanted === null) return true;
  const { weights = null, stickyHeader = null } = facts.server ?? {};
  if (weights === null || stickyHeader !== (spec.stickyHeader?.toLowerCase() ?? null)) return false;
  const versions = new Set([...Object.keys(wanted), ...Object.keys(weights)]);
  return [...versions].every((version) => (wanted[version] ?? 0) === (weights[version] ?? 0));
}

/** What the server still lacks for the state, and what is to be asked of it. Pure. */
export function effectsOf(spec: RolloutSpec, now: RolloutNow): RolloutEffect[] {
  const { state, evidence, facts, nowMs } = now;
  const effects: RolloutEffect[] = configEffects(spec, now);
  const weights = weightsOf(spec, state);
  if (weights !== null && facts.server !== null && !isDivided(spec, now))
    effects.push({ kind: "set-weights", weights });
  const isWatched = state.kind === "preparing" || stepOf(state) !== null;
  if (!isWatched || !needsOutputs(spec) || facts.server === null) return effects;
  const { baseline, candidate } = facts.server.served;
  const checked = evidence.outputs;
  const isDue = !outputsAreFresh(spec, now) || (checked !== null && nowMs - checked.atMs >= OUTPUTS_EVERY_MS);
  if (isDue && baseline && candidate) effects.push({ kind: "check-outputs", step: outputStep(state) });
  return effects;
}
