import type { Datatype } from "@nereid/protocol";

/** One input or output as clients see it, compiled from the configuration. */
export interface TensorSpec {
  readonly name: string;
  readonly datatype: Datatype;
  /** Without the batch dimension; -1 = variable. */
  readonly dims: readonly number[];
  /** What the model itself takes or gives (`reshape` applied), without the batch dimension. */
  readonly modelDims: readonly number[];
  /** Any -1 in dims: requests in one batch must agree on the shape. */
  readonly variable: boolean;
  readonly optional: boolean;
  /** Labels by class index; empty when there is no label file. */
  readonly labels: readonly string[];
}

/** Queue policy of the dynamic batcher; 0 = unlimited or none. */
export interface QueuePolicy {
  readonly maxQueueSize: number;
  readonly defaultTimeoutNs: number;
  readonly allowTimeoutOverride: boolean;
}

export interface BatchPolicy {
  /** Largest batch, at least 1. */
  readonly maxBatchSize: number;
  /** Sizes worth sending at once, ascending; may be empty. */
  readonly preferredBatchSizes: readonly number[];
  readonly maxQueueDelayNs: number;
}

export type Scheduling =
  | { readonly kind: "default" }
  | { readonly kind: "dynamic"; readonly batch: BatchPolicy; readonly queue: QueuePolicy };

export interface InstanceSpec {
  readonly name: string;
  readonly kind: "KIND_CPU" | "KIND_GPU" | "KIND_MODEL";
  readonly device: number;
  /** Of the GPU, for an instance on one. */
  readonly gpuUuid?: string | undefined;
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
  /** `model_transaction_policy.decoupled`: a request may have any number of answers. */
  readonly decoupled: boolean;
  readonly instances: readonly InstanceSpec[];
}
