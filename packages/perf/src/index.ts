/** Load on V2 servers: what is measured and told is pure (`load`), what makes it runs in processes of its own (`generator`). */
export {
  EXPERIMENT_METRICS,
  type ExperimentCheckpoint,
  type ExperimentEffect,
  type ExperimentMetric,
  type ExperimentProgress,
  type ExperimentResult,
  type ExperimentSide,
  type ExperimentSpec,
  type ExperimentVerdict,
  type ExperimentWindow,
} from "./experiment/experiment-types.ts";
export { experimentWindow } from "./experiment/experiment-window.ts";
export { judgeExperiment } from "./experiment/judge-experiment.ts";
export { windowOrder } from "./experiment/window-order.ts";
export { nowMs } from "./generator/clock.ts";
export { GeneratorFleet } from "./generator/generator-fleet.ts";
export {
  hostAndPort,
  type LoadShape,
  type LoadSpec,
  type RequestStep,
  type SequencePlan,
} from "./generator/load-spec.ts";
export { type MeasuredDuration, measureDuration } from "./generator/measure-duration.ts";
export { type MeasureDeps, type MeasuredLevel, type MeasurePlan, measureLevel } from "./generator/measure-level.ts";
export type { ArrivalPlan } from "./load/arrivals.ts";
export { offeredPerSecond } from "./load/arrivals.ts";
export { type ClosedLoopPlan, type LoadResult, runClosedLoop } from "./load/closed-loop.ts";
export { type GpuFigures, gpuFigures } from "./load/gpu-figures.ts";
export { generatorWarnings, healthWarnings } from "./load/health.ts";
export { type HttpAnswer, HttpConnection, postRequest } from "./load/http-connection.ts";
export { floatRequest } from "./load/infer-request.ts";
export { type InputStep, type InputTensor, parseInputData } from "./load/input-data.ts";
export { latencyFigures, percentileOf } from "./load/latency-figures.ts";
export type { LevelResult, LoadMode, Measurement, ReportSettings } from "./load/level-result.ts";
export { bestLevel, type LevelOutcome, type LevelPlan, nextLevel } from "./load/level-search.ts";
export { histogramRows, LevelTally } from "./load/level-tally.ts";
export { type LoadWindow, latenciesUs, throughputOf } from "./load/load-window.ts";
export { PointSeries } from "./load/point-series.ts";
export { profileExport } from "./load/profile-export.ts";
export { composingCsv, reportCsv } from "./load/report-csv.ts";
export { levelTitle, reportHead } from "./load/report-head.ts";
export { reportLevel } from "./load/report-level.ts";
export { passLine, reportSummary } from "./load/report-summary.ts";
export { batchSteps } from "./load/request-inputs.ts";
export { seededRandom } from "./load/seeded-random.ts";
export { phaseMeanUs, phasesOf, type ServerCounters } from "./load/server-figures.ts";
export { isOverLimit } from "./load/stability.ts";
export { tensorData } from "./load/tensor-data.ts";
export { type DescribedTensor, elementCount, fixedShape } from "./load/tensor-plan.ts";
export { type GoodputLimits, isGood, type TextRow, textFigures } from "./load/text-figures.ts";
export { checkpointKey, readCheckpoint } from "./tuner/checkpoint.ts";
export { CONFIRMING_SHARE, chooseConfirmation } from "./tuner/choose-confirmation.ts";
export { chooseNext } from "./tuner/choose-next.ts";
export { compareFigures, metricOf, missedPercent, utilityOf, type Wanted } from "./tuner/compare-figures.ts";
export { correctSimulated, type Expected } from "./tuner/correct-simulated.ts";
export { fitCosts } from "./tuner/fit-costs.ts";
export { goodputWithin, quantileAt, quantilesOf } from "./tuner/goodput.ts";
export { meanInterval } from "./tuner/intervals.ts";
export { mergeMeasurements } from "./tuner/merge-measurements.ts";
export { openSizes, planProbes } from "./tuner/plan-probes.ts";
export { type Known, rankPoints } from "./tuner/rank-points.ts";
export { levelWords } from "./tuner/recommend.ts";
export { svgOf } from "./tuner/report/drawing.ts";
export { latencyBreakdown, measuredPoints, scatterPlot, THROUGHPUT_LATENCY } from "./tuner/report/plots.ts";
export { reportHtml, reportPdf } from "./tuner/report/render-report.ts";
export { bestOfEach, detailedReport, gpuPlot, type Report, summaryReport } from "./tuner/report/report-content.ts";
export { gpuCsv, inferenceCsv, serverCsv } from "./tuner/result-csv.ts";
export {
  buildSpace,
  legalSetting,
  type SearchSpace,
  type SpacePoint,
  settingKey,
  valuesBetween,
  withLoads,
} from "./tuner/search-space.ts";
export { type CostModel, percentilesOf, type SimulatedLoad, simulateSetting } from "./tuner/simulate-setting.ts";
export { type TunedModel, tunedModel } from "./tuner/tuned-model.ts";
export { tuningResult } from "./tuner/tuning-result.ts";
export { DEFAULT_SEARCH, type NextStep, type SearchOptions, type TuningState } from "./tuner/tuning-state.ts";
export * from "./tuner/tuning-types.ts";
