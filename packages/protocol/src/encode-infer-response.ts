import { NereidError } from "@nereid/errors";
import { isJsonDatatype } from "./datatype.ts";
import { encodedMessage } from "./encoded-message.ts";
import type { EncodedMessage, InferResponse, OutputTensor, RequestedOutput } from "./infer-types.ts";
import { writeParameters } from "./json-parameters-writer.ts";
import { writeJsonTensor } from "./json-tensor-writer.ts";

export interface EncodeResponseOptions {
  /** The request's `outputs`; empty = all, in the format of `binaryDataOutput`. */
  readonly requested: readonly RequestedOutput[];
  /** The request-level default; by Triton's code it never applies to a listed output (http.md §8). */
  readonly binaryDataOutput: boolean;
}

/**
 * Encodes an inference response (http.md §8): outputs in the order given, binary ones as blobs behind the JSON, those
 * placed in shared memory without content. Throws INVALID_ARGUMENT for FP16 and BF16 as JSON.
 */
export function encodeInferResponse(response: InferResponse, options: EncodeResponseOptions): EncodedMessage {
  const requested = new Map(options.requested.map((output) => [output.name, output]));
  const blobs: Uint8Array[] = [];
  const outputs = response.outputs.map((output) => {
    const wish = requested.get(output.name);
    if (wish?.shm !== undefined) return `{${describe(output)}}`;
    const binary = wish === undefined ? requested.size === 0 && options.binaryDataOutput : wish.binary === true;
    if (!binary) return `{${describe(output)},"data":${jsonData(output)}}`;
    if (output.bytes.length > 0) blobs.push(output.bytes);
    return `{${describe(output)},"parameters":{"binary_data_size":${output.bytes.length}}}`;
  });
  const members: string[] = [];
  if (response.id !== "") members.push(`"id":${JSON.stringify(response.id)}`);
  members.push(`"model_name":${JSON.stringify(response.modelName)}`);
  members.push(`"model_version":${JSON.stringify(response.modelVersion)}`);
  if (response.parameters !== undefined && response.parameters.size > 0) {
    members.push(`"parameters":${writeParameters(response.parameters)}`);
  }
  members.push(`"outputs":[${outputs.join(",")}]`);
  return encodedMessage(`{${members.join(",")}}`, blobs);
}

function describe({ name, datatype, shape }: OutputTensor): string {
  return `"name":${JSON.stringify(name)},"datatype":${JSON.stringify(datatype)},"shape":[${shape.join(",")}]`;
}

function jsonData({ datatype, bytes }: OutputTensor): string {
  if (datatype === "FP16" || datatype === "BF16") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `sending ${datatype} data via JSON is not supported. Please use the binary data format for output`,
    );
  }
  if (!isJsonDatatype(datatype)) throw new NereidError("INTERNAL", `output has the unknown datatype '${datatype}'`);
  return writeJsonTensor(datatype, bytes);
}
