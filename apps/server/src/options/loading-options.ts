import { NereidError } from "@nereid/errors";
import { bad, type GivenFlags } from "./given-flags.ts";

/** How models are brought up and taken down without being told so one by one. */
export interface LoadingOptions {
  /** Requests bring up models of the repository that are not loaded; undefined = they do not. */
  readonly onDemand: { readonly waitSecs: number; readonly idleSecs: number } | undefined;
  /** Most bytes of all loaded models together; undefined = what the machine has. */
  readonly memoryBudgetBytes: number | undefined;
  /** Whether a process that loads stands back behind those that serve; gentle: it runs a twentieth of the time while they do. */
  readonly priority: "gentle" | "low" | "normal";
}

const LONGEST_SECS = 2_000_000;

/** INVALID_ARGUMENT naming the option. */
export function parseLoadingOptions(given: GivenFlags, controlMode: string): LoadingOptions {
  const onDemand = given.boolean("load-on-demand") ?? false;
  if (onDemand && controlMode !== "explicit") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      "Error: Use of '--load-on-demand' requires setting '--model-control-mode=explicit' as well: in the other modes every model is loaded.",
    );
  }
  const waitSecs = given.whole("load-on-demand-wait-secs", { min: 1, max: LONGEST_SECS }) ?? 60;
  const idleSecs = given.whole("load-on-demand-idle-secs", { min: 1, max: LONGEST_SECS }) ?? 300;
  return {
    onDemand: onDemand ? { waitSecs, idleSecs } : undefined,
    memoryBudgetBytes: given.whole("model-memory-budget-bytes", { min: 1 }),
    priority: priorityOf(given.text("load-priority")),
  };
}

function priorityOf(text: string | undefined): LoadingOptions["priority"] {
  const priority = (text ?? "low").toLowerCase();
  if (priority === "gentle" || priority === "low" || priority === "normal") return priority;
  throw bad("load-priority", `expected gentle, low or normal, got "${text}"`);
}
