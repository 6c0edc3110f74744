import type { Evidence } from "./evidence.ts";
import type { RolloutState } from "./rollout-state.ts";

/** What is known of the server at this moment; null = it did not answer. */
export interface RolloutFacts {
  readonly server: {
    readonly served: { readonly baseline: boolean; readonly candidate: boolean };
    /** How it divides the traffic; null = all to the highest version. */
    readonly weights: Readonly<Record<string, number>> | null;
    readonly stickyHeader: string | null;
    /** Whether the model has the candidate's configuration; false where it has no own. */
    readonly isApplied: boolean;
  } | null;
  /** Why the server refused what was done last, for good; null = it did not. */
  readonly refusal: string | null;
}

export type RolloutEffect =
  | { readonly kind: "set-weights"; readonly weights: Readonly<Record<string, number>> }
  /** Make the model that has the new configuration, keep it, give the configuration to the model itself, and remove what was made. */
  | { readonly kind: "add-candidate" | "apply-config" | "remove-candidate" }
  /** Send the fixtures to both versions. */
  | { readonly kind: "check-outputs"; readonly step: number };

export interface RolloutNow {
  readonly state: RolloutState;
  readonly evidence: Evidence;
  readonly facts: RolloutFacts;
  /** Unix milliseconds. */
  readonly nowMs: number;
}
