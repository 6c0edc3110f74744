import { NereidError } from "@nereid/errors";
import { candidateIn, type ModelEntry } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import type { Shadow } from "../shadow/shadow.ts";
import { parseShadow } from "../shadow/shadow-rules.ts";
import { entryOf } from "./entry-of.ts";

/** How a model's requests are mirrored, and what came of it; null where they are not. NOT_FOUND for an unknown model. */
export function shadowStatus(context: ServerContext, name: string) {
  entryOf(context, name);
  const shadow = context.shadows.of(name);
  return { shadow: shadow === undefined ? null : statusOf(shadow) };
}

/**
 * Mirrors requests of a model from now on, until it is stopped or the server ends; what was counted before begins anew. NOT_FOUND for a
 * target that is not served, UNSUPPORTED where an answer depends on requests before it or there is more than one.
 */
export function startShadow(context: ServerContext, name: string, body: Readonly<Record<string, unknown>>) {
  const rules = parseShadow(body);
  const entry = entryOf(context, name);
  const part = candidateIn(rules.target);
  const target = part === undefined ? entry : context.manager.entry(part.candidate);
  const isTarget = target !== undefined && (part === undefined || target.candidateOf === name);
  const found = isTarget ? target.versions.get(part?.version ?? rules.target) : undefined;
  if (found?.state !== "READY" || target === undefined) {
    throw new NereidError("NOT_FOUND", `model '${name}' serves no '${rules.target}'`, { fix: fixOf(context, entry) });
  }
  for (const one of target === entry ? [entry] : [entry, target]) refuseStateful(context, one);
  return { shadow: statusOf(context.shadows.start(name, rules)) };
}

/** Ends the shadow of a model; harmless where there is none. */
export function stopShadow(context: ServerContext, name: string): undefined {
  entryOf(context, name);
  context.shadows.stop(name);
}

function statusOf(shadow: Shadow) {
  return { ...shadow.rules, startedAt: new Date(shadow.startedAtMs).toISOString(), ...shadow.status };
}

function fixOf({ candidates }: ServerContext, { name, versions }: ModelEntry): string {
  const served = [...versions.values()].flatMap(({ version, state }) => (state === "READY" ? [version] : []));
  const made = candidates.list().flatMap((one) => (one.of === name ? one.versions.map((v) => `${one.name}/${v}`) : []));
  return `name one of these: ${[...served, ...made].join(", ") || "none; load the model first"}`;
}

/** A mirrored request must be one question with one answer, whichever came before it. */
function refuseStateful(
  { manager }: Pick<ServerContext, "manager">,
  entry: ModelEntry,
  path: readonly string[] = [],
): void {
  const about = path.length === 0 ? `model '${entry.name}'` : `ensemble '${path[0]}' uses model '${entry.name}', which`;
  for (const { state, served, config } of entry.versions.values()) {
    if (state !== "READY" || served === undefined) continue;
    const { scheduling, decoupled } = served.spec;
    if (scheduling.kind === "sequence")
      throw unsupported(`${about} keeps states of sequences, which a mirrored request would change`);
    if (decoupled) throw unsupported(`${about} is decoupled: its requests have no one answer to compare`);
    if (scheduling.kind !== "ensemble" || config?.schedulingChoice.case !== "ensembleScheduling") continue;
    for (const { modelName } of config.schedulingChoice.value.step) {
      const step = manager.entry(modelName);
      if (step !== undefined && !path.includes(step.name))
        refuseStateful({ manager }, step, [path[0] ?? entry.name, ...path, step.name]);
    }
  }
}

function unsupported(message: string): NereidError {
  return new NereidError("UNSUPPORTED", message, {
    fix: "shadow a model without sequences and with one answer a request; compare this one with a load test of its candidate",
  });
}
