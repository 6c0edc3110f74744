import { NereidError } from "@nereid/errors";
import { byteSizeOf, isDatatype, isJsonDatatype } from "./datatype.ts";
import { encodedMessage } from "./encoded-message.ts";
import type { EncodedMessage, InferResponse, OutputTensor, RequestedOutput } from "./infer-types.ts";
import { writeParameters } from "./json-parameters-writer.ts";
import { writeJsonElements } from "./json-tensor-writer.ts";
import { JsonText } from "./json-text.ts";
import { LARGE_JSON_ELEMENTS, MAX_JSON_RESPONSE_BYTES } from "./limits.ts";
import { inOneGo, inSlices, type Sliced } from "./slices.ts";

export interface EncodeResponseOptions {
  /** The request's `outputs`; empty = all, in the format of `binaryDataOutput`. */
  readonly requested: readonly RequestedOutput[];
  /** The request-level default; by Triton's code it never applies to a listed output (http.md §8). */
  readonly binaryDataOutput: boolean;
}

/**
 * Encodes an inference response (http.md §8): outputs in the order given, binary ones as blobs behind the JSON, those
 * placed in shared memory without content. Throws INVALID_ARGUMENT for FP16 and BF16 as JSON, and when the JSON would be
 * longer than MAX_JSON_RESPONSE_BYTES.
 */
export function encodeInferResponse(response: InferResponse, options: EncodeResponseOptions): EncodedMessage {
  return inOneGo(encodeResponse(response, options, MAX_JSON_RESPONSE_BYTES));
}

/**
 * The same for large JSON: awaits `pause` every few milliseconds of work, so that the event loop gets a turn. The
 * response's bytes must stay as they are until the promise settles.
 */
export function encodeInferResponseInSlices(
  response: InferResponse,
  options: EncodeResponseOptions,
  pause: () => Promise<void>,
): Promise<EncodedMessage> {
  return inSlices(encodeResponse(response, options, MAX_JSON_RESPONSE_BYTES), pause);
}

/** Whether so much of the response goes as JSON that it should be encoded in slices. */
export function hasLargeJson(response: InferResponse, options: EncodeResponseOptions): boolean {
  const formatOf = formats(options);
  let elements = 0;
  for (const output of response.outputs) if (formatOf(output.name) === "json") elements += leastElements(output);
  return elements > LARGE_JSON_ELEMENTS;
}

/** The slices of `encodeInferResponse`; `limit` is that of the JSON part, in bytes. */
export function* encodeResponse(
  response: InferResponse,
  options: EncodeResponseOptions,
  limit: number,
): Sliced<EncodedMessage> {
  const formatOf = formats(options);
  const blobs: Uint8Array[] = [];
  const text = new JsonText();
  text.add(`{${head(response)}"outputs":[`);
  for (const [index, output] of response.outputs.entries()) {
    text.add(`${index === 0 ? "" : ","}{${describe(output)}`);
    const format = formatOf(output.name);
    if (format === "json") yield* writeData(text, output, limit);
    else if (format === "binary") {
      if (output.bytes.length > 0) blobs.push(output.bytes);
      text.add(`,"parameters":{"binary_data_size":${output.bytes.length}}`);
    }
    text.add("}");
  }
  text.add("]}");
  return encodedMessage(yield* text.take(), blobs);
}

function formats({ requested, binaryDataOutput }: EncodeResponseOptions): (name: string) => "json" | "binary" | "shm" {
  const byName = new Map(requested.map((output) => [output.name, output]));
  return (name) => {
    const wish = byName.get(name);
    if (wish?.shm !== undefined) return "shm";
    const binary = wish === undefined ? byName.size === 0 && binaryDataOutput : wish.binary === true;
    return binary ? "binary" : "json";
  };
}

function head(response: InferResponse): string {
  const id = response.id === "" ? "" : `"id":${JSON.stringify(response.id)},`;
  const model = `"model_name":${JSON.stringify(response.modelName)},"model_version":${JSON.stringify(response.modelVersion)},`;
  const { parameters } = response;
  return parameters === undefined || parameters.size === 0
    ? id + model
    : `${id}${model}"parameters":${writeParameters(parameters)},`;
}

function describe({ name, datatype, shape }: OutputTensor): string {
  return `"name":${JSON.stringify(name)},"datatype":${JSON.stringify(datatype)},"shape":[${shape.join(",")}]`;
}

function* writeData(text: JsonText, output: OutputTensor, limit: number): Sliced<void> {
  text.add(',"data":[');
  yield* writeElements(text, output, limit);
  text.add("]");
}

/** The elements of an output with commas between; `limit` is that of the whole text, in bytes. */
export function* writeElements(text: JsonText, output: OutputTensor, limit: number): Sliced<void> {
  const { datatype, bytes } = output;
  if (datatype === "FP16" || datatype === "BF16") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `sending ${datatype} data via JSON is not supported. Please use the binary data format for output`,
    );
  }
  if (!isJsonDatatype(datatype)) throw new NereidError("INTERNAL", `output has the unknown datatype '${datatype}'`);
  if (text.byteLength + leastTextBytes(output) > limit) throw tooLarge(output, limit);
  for (const _ of writeJsonElements(text, datatype, bytes)) {
    if (text.byteLength > limit) throw tooLarge(output, limit);
    yield;
  }
  if (text.byteLength > limit) throw tooLarge(output, limit);
}

/** Elements of an output; of BYTES so many that they are not worth less than other elements. */
function leastElements({ datatype, bytes }: OutputTensor): number {
  return bytes.length / ((isDatatype(datatype) && byteSizeOf(datatype)) || 4);
}

/** What the elements take at least: a digit and a comma each. */
function leastTextBytes(output: OutputTensor): number {
  return output.datatype === "BYTES" ? 0 : 2 * leastElements(output) - 1;
}

function tooLarge({ name }: OutputTensor, limit: number): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `output '${name}' makes the JSON of the response exceed the maximum of ${limit} bytes. Ask for it as binary data ('binary_data: true' in the parameters of the output).`,
  );
}
