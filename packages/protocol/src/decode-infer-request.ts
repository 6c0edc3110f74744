import { NereidError } from "@nereid/errors";
import { BlobReader } from "./blob-reader.ts";
import { decodeJsonData, readInputHead, sharedMemoryOf } from "./decode-infer-input.ts";
import type { InferInput, InferRequest, RequestedOutput } from "./infer-types.ts";
import { asArray, asBoolean, asObject, asString, asUnsigned, memberOr, requireMember } from "./json-access.ts";
import { type JsonNode, readJsonDocument } from "./json-document.ts";
import { type JsonSchema, objectOf } from "./json-schema.ts";
import { jsonTooLargeText } from "./limits.ts";
import { parseRequestParameters } from "./request-parameters.ts";
import { inOneGo, inSlices, SLICE_ELEMENTS, type Sliced } from "./slices.ts";

export interface DecodeInferOptions {
  /** Bytes of JSON at the front of the body (`parseHeaderLength`); undefined = all of it. */
  readonly headerLength: number | undefined;
  /** For error texts. */
  readonly modelName: string;
  /** `--http-max-input-size`, bytes. */
  readonly maxInputSize: number;
}

const REQUEST: JsonSchema = objectOf({
  id: "scalar",
  parameters: { values: "scalar" },
  inputs: {
    each: objectOf({
      name: "scalar",
      datatype: "scalar",
      shape: { each: "scalar" },
      data: "span",
      parameters: objectOf({
        binary_data_size: "scalar",
        shared_memory_region: "scalar",
        shared_memory_offset: "scalar",
        shared_memory_byte_size: "scalar",
      }),
    }),
  },
  outputs: {
    each: objectOf({
      name: "scalar",
      parameters: objectOf({
        classification: "scalar",
        binary_data: "scalar",
        shared_memory_region: "scalar",
        shared_memory_offset: "scalar",
        shared_memory_byte_size: "scalar",
      }),
    }),
  },
});

/**
 * Decodes the body of `POST …/infer` (http.md §7-§9). Binary inputs are views on `body`; JSON inputs become their binary
 * form. Throws INTERNAL for JSON problems and INVALID_ARGUMENT for wrong content, with Triton's texts.
 */
export function decodeInferRequest(body: Uint8Array, options: DecodeInferOptions): InferRequest {
  return inOneGo(decodeRequest(body, options));
}

/**
 * The same for large JSON: awaits `pause` every few milliseconds of work, so that the event loop gets a turn. The body
 * must stay as it is until the promise settles.
 */
export function decodeInferRequestInSlices(
  body: Uint8Array,
  options: DecodeInferOptions,
  pause: () => Promise<void>,
): Promise<InferRequest> {
  return inSlices(decodeRequest(body, options), pause);
}

function* decodeRequest(body: Uint8Array, options: DecodeInferOptions): Sliced<InferRequest> {
  const { modelName, maxInputSize } = options;
  const jsonLength = options.headerLength ?? body.length;
  if (jsonLength > maxInputSize) {
    throw new NereidError("INVALID_ARGUMENT", jsonTooLargeText(jsonLength, maxInputSize));
  }
  if (jsonLength > body.length) {
    const missing = jsonLength - body.length;
    throw new NereidError("INVALID_ARGUMENT", `unexpected size for request JSON, expecting ${missing} more bytes`);
  }
  const document = body.subarray(0, jsonLength);
  const root = asObject(yield* readJsonDocument(document, REQUEST), "inputs");
  const idNode = root.get("id");
  const id = idNode === undefined ? "" : asString(idNode, "id");
  const parameters = parseRequestParameters(root.get("parameters"));
  const blobs = new BlobReader(body, { start: jsonLength, modelName });
  const inputs: InferInput[] = [];
  let handled = 0;
  for (const node of asArray(requireMember(root, "inputs"), "inputs")) {
    const head = readInputHead(node, blobs);
    const { name, datatype, shape, source } = head;
    const data =
      "data" in source
        ? source.data
        : ({
            kind: "bytes",
            bytes: yield* decodeJsonData(head, { node: source.json, document, maxInputSize }),
          } as const);
    inputs.push({ name, datatype, shape: shape.dims, data });
    handled += 1 + shape.dims.length;
    if (handled >= SLICE_ELEMENTS) {
      handled = 0;
      yield;
    }
  }
  blobs.finish();
  const outputsNode = root.get("outputs");
  const outputs = outputsNode === undefined ? [] : asArray(outputsNode, "outputs").map(decodeOutput);
  return { id, ...parameters, inputs, outputs };
}

function decodeOutput(node: JsonNode): RequestedOutput {
  const output = asObject(node, "outputs");
  const name = asString(requireMember(output, "name"), "name");
  if (!output.has("parameters")) return { name, binary: undefined, classification: 0 };
  const parameters = asObject(output.get("parameters"), "parameters");
  const classification = Number(asUnsigned(memberOr(parameters, "classification", 0n), "classification"));
  const shm = sharedMemoryOf(parameters);
  if (shm !== undefined && classification > 0) {
    throw new NereidError("INVALID_ARGUMENT", "Output can't set both 'shared_memory_region' and 'classification'");
  }
  const binaryNode = parameters.get("binary_data");
  const binary = binaryNode === undefined ? undefined : asBoolean(binaryNode, "binary_data");
  return { name, binary, classification, ...(shm === undefined ? {} : { shm }) };
}
