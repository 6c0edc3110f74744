import type { Datatype } from "@nereid/protocol";
import type { ExecutionStyle } from "../runner-protocol/messages.ts";
import type { CostMeasure } from "../scheduler/cost-of.ts";
import type { AdmissionLimits, BatchPolicy, PriorityPolicy } from "../scheduler/policy.ts";
import type { SequencePolicy } from "../sequence/sequence-policy.ts";

/** One input or output as clients see it, compiled from the configuration. */
export interface TensorSpec {
  readonly name: string;
  readonly datatype: Datatype;
  /** Without the batch dimension; -1 = variable. */
  readonly dims: readonly number[];
  /** What the model itself takes or gives (`reshape` applied), without the batch dimension. */
  readonly modelDims: readonly number[];
  /** Any -1 in dims, and not ragged: requests in one batch must agree on the shape. */
  readonly variable: boolean;
  readonly optional: boolean;
  /** Labels by class index; empty when there is no label file. */
  readonly labels: readonly string[];
  /** `allow_ragged_batch`: the elements of all requests of a batch stand behind each other in one dimension. */
  readonly ragged?: boolean;
}

/** A tensor the server adds to a batch, computed from one input over the requests of the batch (scheduling.md §3). */
export interface BatchInputSpec {
  readonly kind: BatchInputKind;
  readonly targets: readonly string[];
  readonly datatype: "INT32" | "FP32";
  readonly source: string;
}

export type BatchInputKind =
  | "BATCH_ELEMENT_COUNT"
  | "BATCH_ACCUMULATED_ELEMENT_COUNT"
  | "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO"
  | "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE"
  | "BATCH_ITEM_SHAPE"
  | "BATCH_ITEM_SHAPE_FLATTEN";

/** An output that is cut by the shapes of an input: BATCH_SCATTER_WITH_INPUT_SHAPE. */
export interface BatchOutputSpec {
  readonly targets: readonly string[];
  readonly source: string;
}

export type Scheduling =
  | { readonly kind: "default" }
  | { readonly kind: "dynamic"; readonly batch: BatchPolicy; readonly preserveOrdering: boolean }
  | { readonly kind: "sequence"; readonly policy: SequencePolicy }
  /** Steps are other models; see `ensemble/`. */
  | { readonly kind: "ensemble" };

/** What an instance needs to execute, and how it stands among those that want it (scheduling.md §6). */
export interface RateLimit {
  readonly resources: readonly { readonly name: string; readonly global: boolean; readonly count: number }[];
  /** 1 = twice as often as 2. */
  readonly priority: number;
}

export interface InstanceSpec {
  readonly name: string;
  readonly kind: "KIND_CPU" | "KIND_GPU" | "KIND_MODEL";
  readonly device: number;
  /** Of the GPU, for an instance on one. */
  readonly gpuUuid?: string | undefined;
  readonly rateLimit?: RateLimit;
  /** Begin of the name of the file for the engine's profile of it. */
  readonly profile?: string;
  /** Loaded and never given a request. */
  readonly passive?: boolean;
  /** Name of the host policy whose cores the instance is bound to. */
  readonly hostPolicy?: string;
}

/** Everything the request path needs to know about a loaded model version; immutable. */
export interface ModelSpec {
  readonly name: string;
  readonly version: string;
  readonly platform: string;
  readonly backend: string;
  /** 0 = the model has no batch dimension of Triton's. */
  readonly maxBatchSize: number;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly inputByName: ReadonlyMap<string, TensorSpec>;
  readonly outputByName: ReadonlyMap<string, TensorSpec>;
  readonly requiredInputs: number;
  readonly scheduling: Scheduling;
  readonly priorities: PriorityPolicy;
  readonly admission: AdmissionLimits;
  readonly costMeasure: CostMeasure;
  readonly batchInputs: readonly BatchInputSpec[];
  readonly batchOutputs: readonly BatchOutputSpec[];
  readonly execution: ExecutionStyle;
  /** The model itself can be asked whether it is ready. */
  readonly tellsReadiness: boolean;
  /** `response_cache.enable`, and the server has a cache. */
  readonly cached: boolean;
  /** `model_transaction_policy.decoupled`: a request may have any number of answers. */
  readonly decoupled: boolean;
  readonly instances: readonly InstanceSpec[];
}
