import { NereidError } from "@nereid/errors";
import { NO_CONTROLS, type ParameterValue, type RequestControls } from "./infer-types.ts";
import { asBoolean, asObject, asString, asUnsigned } from "./json-access.ts";
import type { JsonNode } from "./json-document.ts";

export interface ParsedParameters {
  readonly controls: RequestControls;
  readonly binaryDataOutput: boolean;
  readonly modelParameters: ReadonlyMap<string, ParameterValue>;
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * The request's `parameters` (http.md §9): what the server interprets, and the rest for the backend. Throws INTERNAL for
 * a reserved key of the wrong type, INVALID_ARGUMENT for `triton_` keys and values that are no scalar.
 */
export function parseRequestParameters(node: JsonNode | undefined): ParsedParameters {
  const modelParameters = new Map<string, ParameterValue>();
  let controls: RequestControls = NO_CONTROLS;
  let binaryDataOutput = false;
  if (node === undefined) return { controls, binaryDataOutput, modelParameters };
  for (const [key, value] of asObject(node, "parameters")) {
    switch (key) {
      case "sequence_id":
        controls = { ...controls, ...sequenceId(value) };
        break;
      case "sequence_start":
        controls = { ...controls, sequenceStart: asBoolean(value, key) };
        break;
      case "sequence_end":
        controls = { ...controls, sequenceEnd: asBoolean(value, key) };
        break;
      case "priority":
        controls = { ...controls, priority: asUnsigned(value, key) };
        break;
      case "timeout":
        controls = { ...controls, timeoutMicroseconds: asUnsigned(value, key) };
        break;
      case "binary_data_output":
        binaryDataOutput = asBoolean(value, key);
        break;
      default:
        modelParameters.set(key, modelParameter(key, value));
    }
  }
  return { controls, binaryDataOutput, modelParameters };
}

/** An unsigned integer, or else a string; 0 and "" stand for none. */
function sequenceId(value: JsonNode): { readonly sequenceId?: bigint | string } {
  const id = typeof value === "bigint" && value >= 0n ? value : asString(value, "sequence_id");
  return id === 0n || id === "" ? {} : { sequenceId: id };
}

function modelParameter(key: string, value: JsonNode): ParameterValue {
  if (key.startsWith("triton_")) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      "parameter keys starting with 'triton_' are reserved for Triton usage and should not be specified.",
    );
  }
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
