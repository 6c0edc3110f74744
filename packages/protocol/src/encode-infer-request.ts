import { NereidError } from "@nereid/errors";
import { isJsonDatatype } from "./datatype.ts";
import { encodedMessage } from "./encoded-message.ts";
import type { EncodedMessage, InferInput, InferRequest, ParameterValue, RequestedOutput } from "./infer-types.ts";
import { writeParameters } from "./json-parameters-writer.ts";
import { writeJsonTensor } from "./json-tensor-writer.ts";
import { JsonText } from "./json-text.ts";
import { inOneGo } from "./slices.ts";

export interface EncodeRequestOptions {
  /** Whether the input of this name travels as a blob instead of JSON. */
  readonly binary: (inputName: string) => boolean;
}

/**
 * Encodes an inference request, the client's side of http.md §7-§9. Number parameters are written as doubles, bigint ones
 * as integers. Throws INVALID_ARGUMENT for a datatype that cannot travel as JSON.
 */
export function encodeInferRequest(request: InferRequest, options: EncodeRequestOptions): EncodedMessage {
  const blobs: Uint8Array[] = [];
  const text = new JsonText();
  text.add("{");
  if (request.id !== "") text.add(`"id":${JSON.stringify(request.id)},`);
  const parameters = requestParameters(request);
  if (parameters.length > 0) text.add(`"parameters":${writeParameters(parameters)},`);
  text.add('"inputs":[');
  for (const [index, input] of request.inputs.entries()) {
    const shape = `"shape":[${input.shape.join(",")}]`;
    text.add(
      `${index === 0 ? "" : ","}{"name":${JSON.stringify(input.name)},"datatype":${JSON.stringify(input.datatype)},${shape},`,
    );
    encodeData(text, input, { binary: options.binary(input.name), blobs });
    text.add("}");
  }
  text.add("]");
  if (request.outputs.length > 0) text.add(`,"outputs":[${request.outputs.map(encodeOutput).join(",")}]`);
  text.add("}");
  return encodedMessage(inOneGo(text.take()), blobs);
}

function requestParameters({ controls, modelParameters, binaryDataOutput }: InferRequest): [string, ParameterValue][] {
  const parameters: [string, ParameterValue][] = [...modelParameters];
  if (controls.sequenceId !== undefined) {
    parameters.push(["sequence_id", controls.sequenceId]);
    parameters.push(["sequence_start", controls.sequenceStart], ["sequence_end", controls.sequenceEnd]);
  }
  if (controls.priority > 0n) parameters.push(["priority", controls.priority]);
  if (controls.timeoutMicroseconds > 0n) parameters.push(["timeout", controls.timeoutMicroseconds]);
  if (binaryDataOutput) parameters.push(["binary_data_output", true]);
  return parameters;
}

function encodeData(
  text: JsonText,
  { name, data, datatype }: InferInput,
  { binary, blobs }: { binary: boolean; blobs: Uint8Array[] },
): void {
  if (data.kind === "shm") {
    const parameters = writeParameters([
      ["shared_memory_region", data.region],
      ["shared_memory_offset", BigInt(data.offset)],
      ["shared_memory_byte_size", BigInt(data.byteSize)],
    ]);
    text.add(`"parameters":${parameters}`);
    return;
  }
  if (binary) {
    if (data.bytes.length > 0) blobs.push(data.bytes);
    text.add(`"parameters":{"binary_data_size":${data.bytes.length}}`);
    return;
  }
  if (!isJsonDatatype(datatype)) {
    throw new NereidError("INVALID_ARGUMENT", `input '${name}': ${datatype} data cannot travel as JSON`, {
      fix: "send this input as a binary blob",
    });
  }
  text.add('"data":');
  inOneGo(writeJsonTensor(text, datatype, data.bytes));
}

function encodeOutput(output: RequestedOutput): string {
  const parameters: [string, ParameterValue][] = [];
  if (output.shm !== undefined) {
    parameters.push(["shared_memory_region", output.shm.region]);
    parameters.push(["shared_memory_offset", BigInt(output.shm.offset)]);
    parameters.push(["shared_memory_byte_size", BigInt(output.shm.byteSize)]);
  } else if (output.binary !== undefined) parameters.push(["binary_data", output.binary]);
  if (output.classification > 0) parameters.push(["classification", BigInt(output.classification)]);
  const suffix = parameters.length === 0 ? "" : `,"parameters":${writeParameters(parameters)}`;
  return `{"name":${JSON.stringify(output.name)}${suffix}}`;
}
