/** Load on V2 servers: what is measured and told is pure (`load`), what makes it runs in processes of its own (`generator`). */
export { nowMs } from "./generator/clock.ts";
export { GeneratorFleet } from "./generator/generator-fleet.ts";
export {
  hostAndPort,
  type LoadShape,
  type LoadSpec,
  type RequestStep,
  type SequencePlan,
} from "./generator/load-spec.ts";
export { type MeasureDeps, type MeasuredLevel, type MeasurePlan, measureLevel } from "./generator/measure-level.ts";
export type { ArrivalPlan } from "./load/arrivals.ts";
export { offeredPerSecond } from "./load/arrivals.ts";
export { type ClosedLoopPlan, type LoadResult, runClosedLoop } from "./load/closed-loop.ts";
export { type GpuFigures, gpuFigures } from "./load/gpu-figures.ts";
export { generatorWarnings } from "./load/health.ts";
export { type HttpAnswer, HttpConnection, postRequest } from "./load/http-connection.ts";
export { floatRequest } from "./load/infer-request.ts";
export { type InputStep, type InputTensor, parseInputData } from "./load/input-data.ts";
export { latencyFigures, percentileOf } from "./load/latency-figures.ts";
export type { LevelResult, LoadMode, Measurement, ReportSettings } from "./load/level-result.ts";
export { bestLevel, type LevelOutcome, type LevelPlan, nextLevel } from "./load/level-search.ts";
export { type LoadWindow, latenciesUs, throughputOf } from "./load/load-window.ts";
export { profileExport } from "./load/profile-export.ts";
export { composingCsv, reportCsv } from "./load/report-csv.ts";
export { levelTitle, reportHead } from "./load/report-head.ts";
export { reportLevel } from "./load/report-level.ts";
export { passLine, reportSummary } from "./load/report-summary.ts";
export { batchSteps } from "./load/request-inputs.ts";
export { seededRandom } from "./load/seeded-random.ts";
export { phasesOf, type ServerCounters } from "./load/server-figures.ts";
export { isOverLimit } from "./load/stability.ts";
export { tensorData } from "./load/tensor-data.ts";
export { type DescribedTensor, elementCount, fixedShape } from "./load/tensor-plan.ts";
export { type GoodputLimits, isGood, type TextRow, textFigures } from "./load/text-figures.ts";
