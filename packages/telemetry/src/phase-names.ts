import type { Phase } from "./phase-durations.ts";

/** Phases as the names of the families and their help texts have them. */
export const PHASE_NAMES: Readonly<Record<Phase, { readonly snake: string; readonly text: string }>> = {
  request: { snake: "request", text: "whole requests" },
  queue: { snake: "queue", text: "waiting in the queue" },
  computeInput: { snake: "compute_input", text: "preparing inputs" },
  computeInfer: { snake: "compute_infer", text: "running the model" },
  computeOutput: { snake: "compute_output", text: "collecting outputs" },
};
