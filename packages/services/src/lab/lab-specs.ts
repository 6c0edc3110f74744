/** What jobs of each kind are asked: for the process that does them, and for pages. */
export type { ExperimentDecision } from "./experiments/decide-experiment.ts";
export { experimentSpec } from "./experiments/experiment-spec.ts";
export type { LabJobView } from "./lab-job.ts";
export { tuningSpec } from "./tunings/tuning-spec.ts";
