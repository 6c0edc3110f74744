import { NereidError } from "@nereid/errors";
import { type Datatype, decodeTensorValues, type InferResponse } from "@nereid/protocol";
import type { InferCallInput } from "./client-types.ts";

/** What may be sent as a tensor of each datatype. Half-precision numbers are rounded to what the datatype can hold. */
export interface InputValues {
  readonly BOOL: readonly boolean[];
  readonly INT8: Int8Array | readonly number[];
  readonly INT16: Int16Array | readonly number[];
  readonly INT32: Int32Array | readonly number[];
  readonly INT64: BigInt64Array | readonly bigint[];
  readonly UINT8: Uint8Array | readonly number[];
  readonly UINT16: Uint16Array | readonly number[];
  readonly UINT32: Uint32Array | readonly number[];
  readonly UINT64: BigUint64Array | readonly bigint[];
  readonly FP16: readonly number[];
  readonly BF16: readonly number[];
  readonly FP32: Float32Array | readonly number[];
  readonly FP64: Float64Array | readonly number[];
  readonly BYTES: readonly (string | Uint8Array)[];
}

/** What comes back of each datatype; half-precision numbers are widened. */
export interface OutputValues {
  readonly BOOL: boolean[];
  readonly INT8: Int8Array;
  readonly INT16: Int16Array;
  readonly INT32: Int32Array;
  readonly INT64: BigInt64Array;
  readonly UINT8: Uint8Array;
  readonly UINT16: Uint16Array;
  readonly UINT32: Uint32Array;
  readonly UINT64: BigUint64Array;
  readonly FP16: Float32Array;
  readonly BF16: Float32Array;
  readonly FP32: Float32Array;
  readonly FP64: Float64Array;
  readonly BYTES: Uint8Array[];
}

export interface TypedTensor<D extends Datatype> {
  readonly name: string;
  readonly datatype: D;
  readonly shape: readonly number[];
  readonly data: InputValues[D];
  /** Send as JSON instead of as a binary blob (HTTP only). */
  readonly json?: boolean;
}

/** An input whose values are checked against its datatype by the compiler. */
export function tensor<D extends Datatype>(input: TypedTensor<D>): InferCallInput {
  return input;
}

/**
 * Values of an output, row-major. NOT_FOUND when the answer has no such output, INVALID_ARGUMENT when it is of another datatype than
 * the caller reads it as.
 */
export function outputValues<D extends Datatype>(response: InferResponse, name: string, datatype: D): OutputValues[D] {
  const output = response.outputs.find((candidate) => candidate.name === name);
  if (output === undefined) {
    const names = response.outputs.map((candidate) => `'${candidate.name}'`).join(", ");
    throw new NereidError("NOT_FOUND", `the answer has no output '${name}'; it has ${names || "none"}`);
  }
  if (output.datatype !== datatype)
    throw new NereidError("INVALID_ARGUMENT", `output '${name}' is ${output.datatype}, not ${datatype}`);
  // The datatype, just compared, decides which of the union it is.
  return decodeTensorValues(datatype, output.bytes) as OutputValues[D];
}
