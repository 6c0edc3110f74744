/**
 * Value of a request or response parameter. JSON integers are `bigint` and JSON numbers with a fraction or an exponent
 * are `number`, so the int64/double distinction of the protocol survives.
 */
export type ParameterValue = string | number | bigint | boolean;

/** Window of a registered shared-memory region; offset and size in bytes. */
export interface SharedMemoryReference {
  readonly region: string;
  readonly offset: number;
  readonly byteSize: number;
}

/** Elements of a tensor: little-endian, row-major bytes, or a window of shared memory. */
export type TensorData =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | ({ readonly kind: "shm" } & SharedMemoryReference);

export interface InferInput {
  readonly name: string;
  /** As the client wrote it; not checked against the known datatypes for binary and shared-memory data. */
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

export interface RequestedOutput {
  readonly name: string;
  /** The output's own `binary_data`; undefined when the client did not say (then JSON, see http.md §8). */
  readonly binary: boolean | undefined;
  /** Number of classes asked for; 0 = plain tensor. */
  readonly classification: number;
  readonly shm?: SharedMemoryReference;
}

/** Request parameters the server itself interprets. */
export interface RequestControls {
  /** Absent when the client gave none, 0 or "". */
  readonly sequenceId?: bigint | string;
  readonly sequenceStart: boolean;
  readonly sequenceEnd: boolean;
  /** 0 = the model's default level. */
  readonly priority: bigint;
  /** Microseconds; 0 = none. */
  readonly timeoutMicroseconds: bigint;
}

export interface InferRequest {
  /** Empty when the client gave none. */
  readonly id: string;
  /** Parameters meant for the backend. */
  readonly modelParameters: ReadonlyMap<string, ParameterValue>;
  readonly controls: RequestControls;
  /** Format of outputs that are not listed in `outputs`. */
  readonly binaryDataOutput: boolean;
  readonly inputs: readonly InferInput[];
  /** Empty = all outputs. */
  readonly outputs: readonly RequestedOutput[];
}

export interface OutputTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Little-endian, row-major; BYTES as length-prefixed elements. */
  readonly bytes: Uint8Array;
}

export interface InferResponse {
  readonly modelName: string;
  readonly modelVersion: string;
  /** Empty when the request had none. */
  readonly id: string;
  readonly parameters?: ReadonlyMap<string, ParameterValue>;
  readonly outputs: readonly OutputTensor[];
}

/** A V2 message ready to be sent: JSON, then the blobs in order. */
export interface EncodedMessage {
  readonly json: Buffer<ArrayBuffer>;
  readonly blobs: readonly Uint8Array[];
  readonly contentType: "application/json" | "application/octet-stream";
  /** Value of Inference-Header-Content-Length; absent when the whole body is JSON. */
  readonly headerLength?: number;
}

/** Controls of a request that asks for nothing special. */
export const NO_CONTROLS: RequestControls = {
  sequenceStart: false,
  sequenceEnd: false,
  priority: 0n,
  timeoutMicroseconds: 0n,
};
