import type { InstanceAction, InstanceFacts, InstancePhase, VersionBatching } from "@nereid/client";

export const PHASE_WORDS: Readonly<Record<InstancePhase, string>> = {
  serving: "Serves",
  draining: "Draining",
  drained: "Drained",
  restarting: "Restarting",
  down: "Did not come back",
};

/** After the name of the instance. */
export const DONE_WORDS: Readonly<Record<InstanceAction, string>> = {
  drain: "gets no further batch",
  resume: "serves again",
  restart: "was restarted",
};

interface Subject {
  readonly version: Pick<VersionBatching, "scheduler">;
  readonly instance: Pick<InstanceFacts, "phase" | "passive">;
}

/** Why the action makes no sense as things stand; null where it does. */
export function refusalOf(action: InstanceAction, { version, instance }: Subject): string | null {
  if (version.scheduler === "sequence")
    return "Sequences are bound to the instances of this model: holding one back would hold its sequences up.";
  if (instance.phase === "restarting") return "It is being restarted.";
  if (action === "drain" && instance.phase === "down") return "It is not there. Restart it.";
  if (action === "drain" && instance.passive) return "It is passive and gets no requests.";
  return null;
}

/** Whether no instance would serve without this one. */
export function isLastServing({ instances }: Pick<VersionBatching, "instances">, { index }: InstanceFacts): boolean {
  const serving = instances.filter(({ passive, phase }) => !passive && phase === "serving");
  return serving.length === 1 && serving[0]?.index === index;
}
