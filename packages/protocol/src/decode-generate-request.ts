import { NereidError } from "@nereid/errors";
import { byteSizeOf, type Datatype } from "./datatype.ts";
import { distributeElements } from "./distribute-elements.ts";
import { type InferInput, type InferRequest, NO_CONTROLS, type ParameterValue } from "./infer-types.ts";
import { accessError, asString, isObject } from "./json-access.ts";
import { type JsonNode, type JsonObject, JsonSpan, readJsonDocument } from "./json-document.ts";
import { writeDouble } from "./json-double.ts";
import { JsonScanner } from "./json-scanner.ts";
import type { JsonSchema } from "./json-schema.ts";
import { failClosing, skipValue } from "./json-skip.ts";
import { readJsonTensor } from "./json-tensor-reader.ts";
import { jsonInputTooLargeText, jsonTooLargeText } from "./limits.ts";
import { inOneGo, inSlices, type Sliced } from "./slices.ts";

export interface GenerateModel {
  /** Inputs as the metadata tell them: `shape` with the batch dimension, -1 = variable. */
  readonly inputs: readonly { readonly name: string; readonly datatype: Datatype; readonly shape: readonly number[] }[];
  /** `--http-max-input-size`, bytes: of the JSON, and of all inputs together. */
  readonly maxInputSize: number;
}

const NESTED = "parameters";
const REQUEST: JsonSchema = { values: "span", named: { [NESTED]: { values: "span" } } };
const INT64_MAX = 2n ** 63n - 1n;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/**
 * Decodes the body of `POST …/generate[_stream]` (http.md §14): members named as an input become that tensor, all others (and `id`
 * too) request parameters. Throws INTERNAL for JSON problems and INVALID_ARGUMENT for wrong content, with Triton's texts.
 */
export function decodeGenerateRequest(body: Uint8Array, model: GenerateModel): InferRequest {
  return inOneGo(decode(body, model));
}

/** The same for large JSON; see `decodeInferRequestInSlices`. */
export function decodeGenerateRequestInSlices(
  body: Uint8Array,
  model: GenerateModel,
  pause: () => Promise<void>,
): Promise<InferRequest> {
  return inSlices(decode(body, model), pause);
}

function* decode(body: Uint8Array, model: GenerateModel): Sliced<InferRequest> {
  const limit = model.maxInputSize;
  if (body.length > limit) throw new NereidError("INVALID_ARGUMENT", jsonTooLargeText(body.length, limit));
  const inputs = new Map(model.inputs.map((input) => [input.name, input]));
  if (inputs.has(NESTED)) {
    throw new NereidError("INVALID_ARGUMENT", `Keyword '${NESTED}' for nested schema also given as input tensor name`);
  }
  const root = yield* readJsonDocument(body, REQUEST);
  if (!isObject(root)) throw accessError("generate", "attempt to access JSON non-object as object");
  const tensors: InferInput[] = [];
  const parameters = new Map<string, ParameterValue>();
  let total = 0;
  for (const [key, value] of members(root)) {
    const input = inputs.get(key);
    if (input === undefined) {
      parameters.set(key, parameterOf(key, value));
      continue;
    }
    const tensor = yield* readTensor(input, value, { document: body, limit, before: total });
    total += tensor.bytes.length;
    tensors.push({
      name: key,
      datatype: input.datatype,
      shape: tensor.shape,
      data: { kind: "bytes", bytes: tensor.bytes },
    });
  }
  const id = inputs.has("id") ? undefined : root.get("id");
  return {
    id: id === undefined ? "" : asString(id, "id"),
    modelParameters: parameters,
    controls: NO_CONTROLS,
    binaryDataOutput: false,
    inputs: tensors,
    outputs: [],
  };
}

/** The members of the request, those of the nested object where it stands. */
function* members(root: JsonObject): Generator<readonly [string, JsonNode]> {
  for (const [key, value] of root) {
    if (key !== NESTED) yield [key, value];
    else if (isObject(value)) yield* value;
    else {
      throw new NereidError(
        "INTERNAL",
        `Expected JSON object for keyword: '${NESTED}': attempt to access JSON non-object as object`,
      );
    }
  }
}

interface TensorSource {
  readonly document: Uint8Array;
  readonly limit: number;
  /** Bytes of the inputs before this one. */
  readonly before: number;
}

function* readTensor(
  input: GenerateModel["inputs"][number],
  value: JsonNode,
  { document, limit, before }: TensorSource,
): Sliced<{ readonly shape: readonly number[]; readonly bytes: Uint8Array }> {
  const { name, datatype } = input;
  if (datatype === "FP16" || datatype === "BF16") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `receiving ${datatype} data via JSON is not supported. Please use the binary data format for input ${name}`,
    );
  }
  const source = value instanceof JsonSpan ? { document, span: value } : scalarSource(name, value);
  const count = yield* countElements(source);
  const shape = distributeElements(count, input.shape);
  if (shape === undefined) {
    throw new NereidError("INVALID_ARGUMENT", `The schema can not convert input '${name}' to tensor with proper shape`);
  }
  const tooLarge = (size: number) =>
    new NereidError("INVALID_ARGUMENT", jsonInputTooLargeText(name, before + size, limit));
  const byteSize = count * byteSizeOf(datatype);
  if (before + byteSize > limit) throw tooLarge(byteSize);
  if (count === 0) return { shape, bytes: new Uint8Array(0) };
  const bytes = yield* readJsonTensor({ ...source, datatype, count, maxBytes: limit - before, tooLarge });
  return { shape, bytes };
}

/** A single value, as the array of it. */
function scalarSource(name: string, value: JsonNode): { readonly document: Uint8Array; readonly span: JsonSpan } {
  if (typeof value === "object" && value !== null)
    throw accessError(name, "attempt to access JSON object as a tensor value");
  const text =
    typeof value === "number" ? writeDouble(value) : typeof value === "bigint" ? String(value) : JSON.stringify(value);
  const document = Buffer.from(`[${text}]`);
  return { document, span: new JsonSpan(0, document.length) };
}

/** Elements of the array itself; those of arrays inside it do not count (http.md §14). */
function* countElements({ document, span }: { document: Uint8Array; span: JsonSpan }): Sliced<number> {
  const scanner = new JsonScanner(document.subarray(0, span.end), span.start + 1);
  if (scanner.take(CLOSE)) return 0;
  for (let count = 1; ; count += 1) {
    yield* skipValue(scanner, 2);
    if (scanner.take(COMMA)) continue;
    if (!scanner.take(CLOSE)) failClosing(scanner, CLOSE);
    return count;
  }
}

function parameterOf(key: string, value: JsonNode): ParameterValue {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "number":
      return value;
    case "bigint":
      // Beyond int64 the protocol only has doubles.
      return value > INT64_MAX ? Number(value) : value;
    default:
      throw new NereidError(
        "INVALID_ARGUMENT",
        `parameter '${key}' has invalid type. It should be either 'int', 'bool', or 'string'.`,
      );
  }
}
