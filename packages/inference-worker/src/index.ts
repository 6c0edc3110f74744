export { availableCores } from "./devices/available-cores.ts";
export { availableMemoryBytes } from "./devices/available-memory.ts";
export { detectGpus, type Gpu, type GpuSupport } from "./devices/detect-gpus.ts";
export { HONOURED_FIELDS } from "./models/honoured-fields.ts";
export { type LoaderContext, VersionsFailed } from "./models/load-versions.ts";
export {
  type LoadOutcome,
  type ModelEntry,
  sortedVersions,
  type VersionEntry,
  type VersionState,
} from "./models/model-entry.ts";
export type { InferAnswer, InferTicket } from "./models/model-executor.ts";
export { allReady, type LoadParameters, ModelManager, type ModelManagerOptions } from "./models/model-manager.ts";
export type { PlanWarning, VersionPlan } from "./models/model-plan.ts";
export type { ModelSpec, TensorSpec } from "./models/model-spec.ts";
export { type PlanContext, planModel } from "./models/plan-model.ts";
export { PollLoop } from "./models/poll-loop.ts";
export { Semaphore } from "./models/semaphore.ts";
export type { RunnerEvent, ServedVersion } from "./models/served-version.ts";
export { once } from "./models/shared-blocks.ts";
export type { ValidRequest } from "./request/valid-request.ts";
export { validateRequest } from "./request/validate-request.ts";
export type { RunnerHost } from "./runners/runner-process.ts";
export type { SlabBlock } from "./shm/slab.ts";
export { type Clock, systemClock } from "./time/clock.ts";
export { type TrialLimits, type TrialReport, type TrialSubject, trialLoad } from "./trial/trial-load.ts";
