export type { Backend, BackendProgram, BackendSubject, Backends } from "./backends/backend.ts";
export { backendsWith } from "./backends/built-in-backends.ts";
export { onnxruntimeBackend, type PythonEngine } from "./backends/onnxruntime/onnxruntime-backend.ts";
export { missingCacheWarning } from "./cache/cache-warning.ts";
export { type CacheOptions, openCache } from "./cache/open-cache.ts";
export { callModel } from "./calls/call-model.ts";
export type { Caller, ManageCall, MetricCall, ModelCall, ModelCalls } from "./calls/model-calls.ts";
export { availableCores } from "./devices/available-cores.ts";
export { availableMemoryBytes } from "./devices/available-memory.ts";
export { detectGpus, type Gpu, type GpuSupport } from "./devices/detect-gpus.ts";
export type { ShapeInput, ShapeReport, ShapeRow } from "./facts/shape-table.ts";
export type { PriorityRefusals, VersionFacts } from "./facts/version-facts.ts";
export type { FlightCause, FlightRecord } from "./flight/flight-record.ts";
export { FlightRecorder } from "./flight/flight-recorder.ts";
export { parseCoreList } from "./host-policy/core-list.ts";
export { createBinder } from "./host-policy/create-binder.ts";
export type { HostPolicy } from "./host-policy/host-policies.ts";
export { freeMemoryBytes } from "./loading/free-memory.ts";
export { findLoadPriority, type LoadPriority, lowerWhileLoading } from "./loading/load-priority.ts";
export { type Candidate, type CandidateRequest, Candidates, type CandidateUse } from "./models/candidates.ts";
export type { RequestFailure } from "./models/execution-context.ts";
export { estimateOfDirectory } from "./models/file-bytes.ts";
export { HONOURED_FIELDS } from "./models/honoured-fields.ts";
export {
  answersOf,
  type ExecutionMoments,
  type InferAnswer,
  type InferTicket,
  type StepMoments,
} from "./models/infer-ticket.ts";
export type { LoadInProgress, LoadProgressStage, ModelEvent } from "./models/load-progress.ts";
export { type LoaderContext, VersionsFailed } from "./models/load-versions.ts";
export {
  type LoadOutcome,
  type ModelEntry,
  sortedVersions,
  type VersionEntry,
  type VersionState,
} from "./models/model-entry.ts";
export type { LoadParameters } from "./models/model-loader.ts";
export { allReady, ModelManager, type ModelManagerOptions } from "./models/model-manager.ts";
export type { PlanWarning, VersionPlan } from "./models/model-plan.ts";
export type { ModelSpec, TensorSpec } from "./models/model-spec.ts";
export { type Hold, OnDemand } from "./models/on-demand.ts";
export { type PlanContext, planModel } from "./models/plan-model.ts";
export { PollLoop } from "./models/poll-loop.ts";
export { Semaphore } from "./models/semaphore.ts";
export type {
  InstanceEvent,
  InstanceOrder,
  InstanceState,
  RunnerEvent,
  ServedVersion,
} from "./models/served-version.ts";
export { once } from "./models/shared-blocks.ts";
export { removeLeftCandidates } from "./models/stage-candidate.ts";
export { candidateIn, splitWithout, type TrafficSplit } from "./models/traffic-split.ts";
export { limiterOffWarning } from "./rate-limiter/limiter-warning.ts";
export { type GivenResource, RateLimiter } from "./rate-limiter/rate-limiter.ts";
export type { ValidRequest } from "./request/valid-request.ts";
export { validateRequest } from "./request/validate-request.ts";
export { readRssBytes } from "./runners/read-rss.ts";
export type { RunnerHost } from "./runners/runner-host.ts";
export { checkReach, checkSandbox, type Sandbox } from "./sandbox/sandbox.ts";
export { type AdmissionLimits, NO_ADMISSION_LIMITS } from "./scheduler/policy.ts";
export type { SlabBlock } from "./shm/slab.ts";
export type { SimulatedArrival } from "./simulator/arrivals.ts";
export type { OutcomeKind, SimulatedOutcome } from "./simulator/outcomes.ts";
export {
  type SimulatedBatch,
  type SimulatedScheduler,
  type SimulationResult,
  type SimulationSetup,
  simulate,
} from "./simulator/simulate.ts";
export type { Percentiles, SimulationTotals } from "./simulator/totals.ts";
export { type WhatIfAnswer, type WhatIfSetting, whatIf } from "./simulator/what-if.ts";
export { type Clock, systemClock } from "./time/clock.ts";
export { type TrialLimits, type TrialReport, type TrialSubject, trialLoad } from "./trial/trial-load.ts";
export { isWarmUpBatchSizes, type WarmUpBatchSizes } from "./warm-up/batch-size-samples.ts";
export { createWarmUp } from "./warm-up/create-warm-up.ts";
