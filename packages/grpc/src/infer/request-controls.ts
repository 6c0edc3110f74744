import { NereidError } from "@nereid/errors";
import { NO_CONTROLS, type ParameterValue, type RequestControls } from "@nereid/protocol";
import type { WireParameter, WireParameters } from "./infer-message.ts";

export interface RequestSettings {
  readonly controls: RequestControls;
  readonly modelParameters: ReadonlyMap<string, ParameterValue>;
  /** `triton_enable_empty_final_response` (grpc.md §5). */
  readonly emptyFinalResponse: boolean;
}

const EMPTY_FINAL = "triton_enable_empty_final_response";
const NO_PARAMETERS: ReadonlyMap<string, ParameterValue> = new Map();
const NONE: RequestSettings = { controls: NO_CONTROLS, modelParameters: NO_PARAMETERS, emptyFinalResponse: false };

/** The request's parameters (grpc.md §4): what the server interprets and the rest for the backend. INVALID_ARGUMENT by Triton's texts. */
export function readRequestSettings(parameters: WireParameters | undefined): RequestSettings {
  if (parameters === undefined) return NONE;
  const modelParameters = new Map<string, ParameterValue>();
  let controls = NO_CONTROLS;
  let emptyFinalResponse = false;
  for (const [key, value] of parameters) {
    switch (key) {
      case "sequence_id":
        controls = { ...controls, ...sequenceId(value) };
        break;
      case "sequence_start":
        controls = { ...controls, sequenceStart: flag(key, value) };
        break;
      case "sequence_end":
        controls = { ...controls, sequenceEnd: flag(key, value) };
        break;
      case "priority":
        controls = { ...controls, priority: priority(value) };
        break;
      case "timeout":
        if (value.kind !== "int64") throw wrongType(key, "int64_param");
        controls = { ...controls, timeoutMicroseconds: BigInt.asUintN(64, value.value) };
        break;
      case EMPTY_FINAL:
        emptyFinalResponse = flag(key, value);
        break;
      default:
        modelParameters.set(key, modelParameter(key, value));
    }
  }
  return { controls, modelParameters, emptyFinalResponse };
}

/** A signed number stands for the unsigned one of the same bits; 0 and "" stand for none. */
function sequenceId(value: WireParameter): Pick<RequestControls, "sequenceId"> {
  if (value.kind === "int64") return value.value === 0n ? {} : { sequenceId: BigInt.asUintN(64, value.value) };
  if (value.kind === "string") return value.value === "" ? {} : { sequenceId: value.value };
  throw wrongType("sequence_id", "int64_param or string_param");
}

function flag(key: string, value: WireParameter): boolean {
  if (value.kind !== "bool") throw wrongType(key, "bool_param");
  return value.value;
}

function priority(value: WireParameter): bigint {
  if (value.kind === "uint64") return value.value;
  if (value.kind !== "int64") throw wrongType("priority", "int64_param or uint64_param");
  if (value.value < 0n) throw invalid("invalid value for 'priority', expected value >= 0.");
  return value.value;
}

function modelParameter(key: string, value: WireParameter): ParameterValue {
  if (key.startsWith("triton_")) {
    throw invalid(
      `parameter keys starting with 'triton_' are reserved for Triton usage. Only the following keys starting with 'triton_' are allowed: ${EMPTY_FINAL}`,
    );
  }
  if (value.kind === "uint64" || value.kind === "unset")
    throw wrongType(key, "int64_param, bool_param, or string_param");
  return value.value;
}

function wrongType(key: string, expected: string): NereidError {
  return invalid(`invalid value type for '${key}' parameter, expected ${expected}.`);
}

function invalid(text: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", text);
}
