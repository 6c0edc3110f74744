import { writeElements } from "./encode-infer-response.ts";
import type { InferResponse, OutputTensor } from "./infer-types.ts";
import { writeParameter } from "./json-parameters-writer.ts";
import { JsonText } from "./json-text.ts";
import { MAX_JSON_RESPONSE_BYTES } from "./limits.ts";
import { inOneGo, inSlices, type Sliced } from "./slices.ts";
import { elementCount } from "./tensor-shape.ts";

/**
 * The JSON object of one answer to generate (http.md §14): model name and version, id, parameters and outputs by name, the keys in
 * the order of their bytes; an output of one element as that element, others as flat arrays. Throws INVALID_ARGUMENT for FP16 and BF16.
 */
export function encodeGenerateResponse(response: InferResponse): Buffer<ArrayBuffer> {
  return inOneGo(encode(response));
}

/** The same for large answers; see `encodeInferResponseInSlices`. */
export function encodeGenerateResponseInSlices(
  response: InferResponse,
  pause: () => Promise<void>,
): Promise<Buffer<ArrayBuffer>> {
  return inSlices(encode(response), pause);
}

function* encode(response: InferResponse): Sliced<Buffer<ArrayBuffer>> {
  const members = new Map<string, string | OutputTensor>();
  members.set("model_name", JSON.stringify(response.modelName));
  members.set("model_version", JSON.stringify(response.modelVersion));
  if (response.id !== "") members.set("id", JSON.stringify(response.id));
  for (const [key, value] of response.parameters ?? []) members.set(key, writeParameter(value));
  for (const output of response.outputs) members.set(output.name, output);
  const text = new JsonText();
  let separator = "{";
  for (const [key, value] of [...members].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    text.add(`${separator}${JSON.stringify(key)}:`);
    separator = ",";
    if (typeof value === "string") text.add(value);
    else yield* writeOutput(text, value);
  }
  text.add("}");
  return yield* text.take();
}

function* writeOutput(text: JsonText, output: OutputTensor): Sliced<void> {
  const single = elementCount(output.shape) === 1;
  if (!single) text.add("[");
  yield* writeElements(text, output, MAX_JSON_RESPONSE_BYTES);
  if (!single) text.add("]");
}
