import type { TensorSpec } from "../models/model-spec.ts";

export interface ValidInput {
  readonly spec: TensorSpec;
  /** As the client sent it, batch dimension included where the model has one. */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** A request that fits its model: what the scheduler queues. */
export interface ValidRequest {
  readonly id: string;
  /** First dimension of a batching model's inputs; 1 for the others. */
  readonly batchSize: number;
  /** In the order of the model's inputs. */
  readonly inputs: readonly ValidInput[];
  /** Requested outputs in the order of the model's outputs. */
  readonly outputs: readonly TensorSpec[];
  /** Requests with the same key may share a batch. */
  readonly shapeKey: string;
  /** Asked by the client in nanoseconds; 0 = none. */
  readonly timeoutNs: number;
  readonly byteLength: number;
}
