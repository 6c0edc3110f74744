export { DATATYPES, type Datatype, isDatatype } from "@nereid/protocol";
export type * from "./candidate-types.ts";
export type {
  BucketStreamOptions,
  CallOptions,
  Compression,
  InferCall,
  InferCallInput,
  InferCallOutput,
  InferOptions,
  LoadModelOptions,
  NereidClientOptions,
  RepositoryIndexOptions,
  UnloadModelOptions,
  VersionOptions,
} from "./client-types.ts";
export { ControlClient, type ControlClientOptions, type ListedVersion } from "./control-client.ts";
export type * from "./fact-types.ts";
export type * from "./flight-types.ts";
export type { GenerateAnswer, GenerateBody } from "./generate-call.ts";
export type * from "./management-types.ts";
export type { EventStreamOptions } from "./model-calls.ts";
export { NereidClient } from "./nereid-client.ts";
export type * from "./repository-types.ts";
export type * from "./settings-types.ts";
export type * from "./shadow-types.ts";
export { type SseEvent, SseParser } from "./sse-parser.ts";
export type {
  BatchStatistics,
  InferStatistics,
  ModelStatisticsEntry,
  StatisticDuration,
  StatisticsAnswer,
} from "./statistics-types.ts";
export { compareTrafficTargets, type TrafficTarget, trafficTarget, trafficTargetText } from "./traffic-target.ts";
export { type InputValues, type OutputValues, outputValues, type TypedTensor, tensor } from "./typed-values.ts";
