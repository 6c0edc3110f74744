import { NereidError } from "@nereid/errors";
import { byteSizeOf, type Datatype } from "./datatype.ts";
import { type InferRequest, NO_CONTROLS } from "./infer-types.ts";
import { rawInputTooLargeText } from "./limits.ts";
import { requestIdPrefix } from "./request-id.ts";
import { elementCount } from "./tensor-shape.ts";

export interface RawRequestModel {
  readonly modelName: string;
  /** Inputs of the model configuration; `dims` without the batch dimension, -1 = variable. */
  readonly inputs: readonly { readonly name: string; readonly datatype: Datatype; readonly dims: readonly number[] }[];
  readonly maxBatchSize: number;
  readonly maxInputSize: number;
}

/**
 * Request whose whole body is one tensor (header length 0, http.md §8); all outputs come back binary. The tensor is a
 * view on `body`, except BYTES, where the body is the single element. Throws INVALID_ARGUMENT.
 */
export function decodeRawBinaryRequest(body: Uint8Array, model: RawRequestModel): InferRequest {
  if (body.length > model.maxInputSize) {
    throw new NereidError("INVALID_ARGUMENT", rawInputTooLargeText(body.length, model.maxInputSize));
  }
  const [input, ...others] = model.inputs;
  if (input === undefined || others.length > 0) {
    throw refuse(
      `Raw request must only have 1 input (found 1) to be deduced but got ${model.inputs.length} inputs in '${model.modelName}' model configuration`,
    );
  }
  const { name, datatype } = input;
  const batch = model.maxBatchSize === 0 ? [] : [1];
  const shape = [...batch, ...deduceDims(input, body.length)];
  const bytes = datatype === "BYTES" ? singleElement(body) : body;
  return {
    id: "",
    modelParameters: new Map(),
    controls: NO_CONTROLS,
    binaryDataOutput: true,
    inputs: [{ name, datatype, shape, data: { kind: "bytes", bytes } }],
    outputs: [],
  };
}

function deduceDims(input: RawRequestModel["inputs"][number], byteLength: number): readonly number[] {
  const { name, datatype, dims } = input;
  const fixed = dims.filter((dim) => dim !== -1);
  if (datatype === "BYTES") {
    if (fixed.length === dims.length && elementCount(fixed) === 1) return dims;
    throw refuse(`For BYTE datatype raw input '${name}', the model must have input shape [1]`);
  }
  if (dims.length - fixed.length > 1) {
    throw refuse(
      `The shape of the raw input '${name}' can not be deduced because there are more than one variable-sized dimension`,
    );
  }
  // A remainder is left to the byte-size check, which names the expected and the real size.
  const variable = Math.floor(byteLength / Math.max(1, elementCount(fixed) * byteSizeOf(datatype)));
  return dims.map((dim) => (dim === -1 ? variable : dim));
}

function singleElement(body: Uint8Array): Uint8Array {
  const element = Buffer.alloc(4 + body.length);
  element.writeUInt32LE(body.length, 0);
  element.set(body, 4);
  return element;
}

function refuse(text: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", requestIdPrefix("") + text);
}
