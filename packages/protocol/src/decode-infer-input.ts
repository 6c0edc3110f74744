import { NereidError } from "@nereid/errors";
import type { BlobReader } from "./blob-reader.ts";
import { byteSizeOf, isJsonDatatype } from "./datatype.ts";
import type { SharedMemoryReference, TensorData } from "./infer-types.ts";
import { accessError, asObject, asString, asUnsigned, memberOr, requireMember } from "./json-access.ts";
import { type JsonNode, type JsonObject, JsonSpan } from "./json-document.ts";
import { JsonScanner } from "./json-scanner.ts";
import { skipValue } from "./json-skip.ts";
import { readJsonTensor } from "./json-tensor-reader.ts";
import { jsonInputTooLargeText } from "./limits.ts";
import type { Sliced } from "./slices.ts";
import { type ParsedShape, parseShape } from "./tensor-shape.ts";

const SOURCES = "'data', 'binary_data_size' in 'parameters', 'shared_memory_region' in 'parameters'";
const UINT64_MAX = 2n ** 64n - 1n;

/** One element of `inputs` (http.md §7, §8) whose `data` may still have to be converted. */
export interface InputHead {
  readonly name: string;
  readonly datatype: string;
  readonly shape: ParsedShape;
  /** The elements; or the node of the `data` member, for `decodeJsonData`. */
  readonly source: { readonly data: TensorData } | { readonly json: JsonNode | undefined };
}

/** Reads everything of an input but its JSON elements. Takes its blob off the context's reader. */
export function readInputHead(node: JsonNode, blobs: BlobReader): InputHead {
  const input = asObject(node, "inputs");
  const name = asString(requireMember(input, "name"), "name");
  const datatype = asString(requireMember(input, "datatype"), "datatype");
  const shape = parseShape(requireMember(input, "shape"), name);
  const parameters = input.has("parameters") ? asObject(input.get("parameters"), "parameters") : new Map();
  checkSources(input, parameters);
  const size = parameters.get("binary_data_size");
  if (size !== undefined) {
    const bytes = blobs.take(asUnsigned(size, "binary_data_size"), name);
    return { name, datatype, shape, source: { data: { kind: "bytes", bytes } } };
  }
  const shm = sharedMemoryOf(parameters);
  if (shm !== undefined) return { name, datatype, shape, source: { data: { kind: "shm", ...shm } } };
  return { name, datatype, shape, source: { json: input.get("data") } };
}

/** The shared-memory window of an input or output; undefined when it names no region. */
export function sharedMemoryOf(parameters: JsonObject): SharedMemoryReference | undefined {
  const region = parameters.get("shared_memory_region");
  if (region === undefined) return undefined;
  const offset = memberOr(parameters, "shared_memory_offset", 0n);
  const byteSize = requireMember(parameters, "shared_memory_byte_size");
  return {
    region: asString(region, "shared_memory_region"),
    offset: Number(asUnsigned(offset, "shared_memory_offset")),
    byteSize: Number(asUnsigned(byteSize, "shared_memory_byte_size")),
  };
}

function checkSources(input: JsonObject, parameters: JsonObject): void {
  const set: string[] = [];
  if (input.has("data")) set.push("'data'");
  if (parameters.has("binary_data_size")) set.push("'binary_data_size'");
  if (parameters.has("shared_memory_region")) set.push("'shared_memory_region'");
  if (set.length === 1) return;
  const found = set.length === 0 ? "But no field is set" : `But set ${set.join(" ")}`;
  throw new NereidError("INVALID_ARGUMENT", `Input must set only one of the following fields: ${SOURCES}. ${found}`);
}

export interface JsonDataContext {
  readonly node: JsonNode | undefined;
  /** The JSON part of the body. */
  readonly document: Uint8Array;
  readonly maxInputSize: number;
}

/** The bytes of an input's JSON elements. */
export function* decodeJsonData(
  { name, datatype, shape }: InputHead,
  { node, document, maxInputSize }: JsonDataContext,
): Sliced<Uint8Array> {
  const { elements } = shape;
  if (datatype === "FP16" || datatype === "BF16") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `receiving ${datatype} data via JSON is not supported. Please use the binary data format for input ${name}`,
    );
  }
  if (!(node instanceof JsonSpan)) throw accessError("data", "attempt to access JSON non-array as array");
  if (elements === 0n || !isJsonDatatype(datatype)) {
    // Not converted, but still JSON: an unknown datatype is refused later, by its name.
    yield* skipValue(new JsonScanner(document.subarray(0, node.end), node.start), 1);
    return new Uint8Array(0);
  }
  const byteSize = elements * BigInt(byteSizeOf(datatype));
  if (byteSize > UINT64_MAX) throw new NereidError("INVALID_ARGUMENT", `byte size overflow for input '${name}'`);
  const tooLarge = (size: number | bigint) =>
    new NereidError("INVALID_ARGUMENT", jsonInputTooLargeText(name, size, maxInputSize));
  if (byteSize > BigInt(maxInputSize)) throw tooLarge(byteSize);
  return yield* readJsonTensor({
    document,
    span: node,
    datatype,
    count: Number(elements),
    maxBytes: maxInputSize,
    tooLarge,
  });
}
