import type { ParameterValue } from "@nereid/protocol";
import type { TensorSpec } from "../models/model-spec.ts";

export interface ValidInput {
  readonly spec: TensorSpec;
  /** As the client sent it, batch dimension included where the model has one. */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** Others read the same bytes, and the model may write into what it gets: it must have a copy. */
  readonly copied?: true;
}

/** Which sequence a request belongs to. Numbers and texts are different ids; 0n and "" are none. */
export interface SequencePlace {
  readonly id: bigint | string;
  readonly start: boolean;
  readonly end: boolean;
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
  /** 0 = the model's default level. */
  readonly priority: number;
  /** Absent when the client gave neither id nor flags. */
  readonly sequence: SequencePlace | undefined;
  /** For the backend. */
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  /** Monotonic nanoseconds after which nobody waits for the answer; Infinity where nobody said. */
  readonly deadlineNs: number;
}
