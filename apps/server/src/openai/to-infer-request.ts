import type { ModelSpec, TensorSpec } from "@nereid/inference-worker";
import {
  byteSizeOf,
  type Datatype,
  encodeTensorValues,
  type InferInput,
  type InferRequest,
  NO_CONTROLS,
  type ParameterValue,
} from "@nereid/protocol";
import { badParameter } from "./openai-error.ts";
import type { Controls } from "./read-controls.ts";

export interface InferWish {
  readonly spec: ModelSpec;
  readonly id: string;
  readonly text: { readonly input: TensorSpec; readonly value: string };
  readonly controls: Controls;
  /** Outputs that are wanted where the model has them. */
  readonly outputs: readonly string[];
}

/**
 * The request to the model. Controls that the model has an input for go there, others become parameters of the request, which a model
 * may read or not; only what gives the answer its form is refused where the model cannot do it.
 */
export function toInferRequest({ spec, id, text, controls, outputs }: InferWish): InferRequest {
  const inputs = [inputOf(spec, text.input, [text.value])];
  const parameters = new Map<string, ParameterValue>();
  for (const [name, value] of controls) {
    const input = spec.inputByName.get(name);
    const values = Array.isArray(value) ? value : [value];
    if (input !== undefined) inputs.push(inputOf(spec, input, values));
    else if (name === "json_schema")
      throw badParameter(
        "response_format",
        `model '${spec.name}' cannot be told the form of its answer: it has no input 'json_schema'`,
      );
    else parameters.set(name, parameterOf(value));
  }
  return {
    id,
    modelParameters: parameters,
    controls: NO_CONTROLS,
    binaryDataOutput: true,
    inputs,
    outputs: outputs
      .filter((name) => spec.outputByName.has(name))
      .map((name) => ({ name, binary: true, classification: 0 })),
  };
}

type Value = string | number | boolean;

function inputOf(spec: ModelSpec, tensor: TensorSpec, values: readonly Value[]): InferInput {
  const { name, datatype } = tensor;
  const shape = spec.maxBatchSize > 0 ? [1, values.length] : [values.length];
  return { name, datatype, shape, data: { kind: "bytes", bytes: encode(tensor, values) } };
}

function encode({ name, datatype }: TensorSpec, values: readonly Value[]): Uint8Array {
  if (datatype === "BYTES") return encodeTensorValues("BYTES", values.map(String));
  if (datatype === "BOOL") return encodeTensorValues("BOOL", values.map(Boolean));
  const numbers = values.map(Number);
  if (!datatype.startsWith("FP") && datatype !== "BF16") {
    if (!numbers.every(Number.isSafeInteger)) throw badParameter(name, `'${name}' must be a whole number`);
    // What does not fit would come to the model as another number.
    const { least, most } = rangeOf(datatype);
    if (!numbers.every((value) => value >= least && value <= most))
      throw badParameter(name, `'${name}' must be from ${least} to ${most}`);
  }
  return encodeTensorValues(datatype, numbers);
}

function rangeOf(datatype: Datatype): { readonly least: number; readonly most: number } {
  const bits = byteSizeOf(datatype) * 8;
  return datatype.startsWith("U")
    ? { least: 0, most: 2 ** bits - 1 }
    : { least: -(2 ** (bits - 1)), most: 2 ** (bits - 1) - 1 };
}

/** Texts of a list go as JSON: parameters are single values. */
function parameterOf(value: Value | readonly string[]): ParameterValue {
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
