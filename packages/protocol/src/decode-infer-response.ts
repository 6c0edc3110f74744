import { NereidError } from "@nereid/errors";
import { BlobReader } from "./blob-reader.ts";
import { isJsonDatatype } from "./datatype.ts";
import type { InferResponse, OutputTensor, ParameterValue } from "./infer-types.ts";
import { accessError, asArray, asObject, asString, asUnsigned, requireMember } from "./json-access.ts";
import { type JsonNode, JsonSpan, readJsonDocument } from "./json-document.ts";
import { type JsonSchema, objectOf } from "./json-schema.ts";
import { readJsonTensor } from "./json-tensor-reader.ts";
import { inOneGo } from "./slices.ts";
import { parseShape } from "./tensor-shape.ts";

const RESPONSE: JsonSchema = objectOf({
  id: "scalar",
  model_name: "scalar",
  model_version: "scalar",
  parameters: { values: "scalar" },
  outputs: {
    each: objectOf({
      name: "scalar",
      datatype: "scalar",
      shape: { each: "scalar" },
      data: "span",
      parameters: objectOf({ binary_data_size: "scalar" }),
    }),
  },
});

/**
 * Decodes the body of a successful inference answer. Binary outputs are views on `body`; outputs in shared memory have
 * no bytes. Throws INTERNAL or INVALID_ARGUMENT when the answer breaks the protocol.
 */
export function decodeInferResponse(body: Uint8Array, headerLength: number | undefined): InferResponse {
  const document = body.subarray(0, headerLength ?? body.length);
  const root = asObject(inOneGo(readJsonDocument(document, RESPONSE)), "outputs");
  const modelName = asString(requireMember(root, "model_name"), "model_name");
  const versionNode = root.get("model_version");
  const idNode = root.get("id");
  const blobs = new BlobReader(body, { start: document.length, modelName });
  const outputs = asArray(requireMember(root, "outputs"), "outputs").map((node) => decodeOutput(node, document, blobs));
  blobs.finish();
  const parameters = root.get("parameters");
  return {
    modelName,
    modelVersion: versionNode === undefined ? "" : asString(versionNode, "model_version"),
    id: idNode === undefined ? "" : asString(idNode, "id"),
    ...(parameters === undefined ? {} : { parameters: scalars(parameters) }),
    outputs,
  };
}

function decodeOutput(node: JsonNode, document: Uint8Array, blobs: BlobReader): OutputTensor {
  const output = asObject(node, "outputs");
  const name = asString(requireMember(output, "name"), "name");
  const datatype = asString(requireMember(output, "datatype"), "datatype");
  const shape = parseShape(requireMember(output, "shape"), name);
  const size = output.has("parameters")
    ? asObject(output.get("parameters"), "parameters").get("binary_data_size")
    : undefined;
  const common = { name, datatype, shape: shape.dims };
  if (size !== undefined) return { ...common, bytes: blobs.take(asUnsigned(size, "binary_data_size"), name) };
  const data = output.get("data");
  if (data === undefined || shape.elements === 0n) return { ...common, bytes: new Uint8Array(0) };
  if (!(data instanceof JsonSpan)) throw accessError("data", "attempt to access JSON non-array as array");
  if (!isJsonDatatype(datatype)) {
    throw new NereidError("INTERNAL", `output '${name}' carries ${datatype} data as JSON`);
  }
  const tensor = readJsonTensor({
    document,
    span: data,
    datatype,
    count: Number(shape.elements),
    maxBytes: Number.MAX_SAFE_INTEGER,
    tooLarge: (byteSize) => new NereidError("INTERNAL", `output '${name}' of ${byteSize} bytes is too large`),
  });
  return { ...common, bytes: inOneGo(tensor) };
}

function scalars(node: JsonNode): ReadonlyMap<string, ParameterValue> {
  const parameters = new Map<string, ParameterValue>();
  for (const [key, value] of asObject(node, "parameters")) {
    if (
      typeof value === "string" ||
      typeof value === "boolean" ||
      typeof value === "bigint" ||
      typeof value === "number"
    ) {
      parameters.set(key, value);
    }
  }
  return parameters;
}
