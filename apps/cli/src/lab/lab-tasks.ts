import type { LabKind } from "@nereid/services/lab-task";
import type { LabTaskRunner } from "./lab-task-runner.ts";
import { runExperiment } from "./run-experiment.ts";
import { runLoadTest } from "./run-load-test.ts";
import { runTuning } from "./run-tuning.ts";

/** Who does what. */
export const LAB_TASKS: Readonly<Record<LabKind, LabTaskRunner>> = {
  "load-test": runLoadTest,
  tuning: runTuning,
  experiment: runExperiment,
};
