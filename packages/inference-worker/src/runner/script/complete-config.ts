import { NereidError } from "@nereid/errors";
import { type Datatype, isDatatype } from "@nereid/protocol";
import type { ConfigPatch, ModelTensor } from "../../runner-protocol/messages.ts";
import type { ScriptConfig } from "./script-types.ts";

/** What a script's `autoComplete` said. */
export interface Completion {
  readonly inputs: readonly ModelTensor[];
  readonly outputs: readonly ModelTensor[];
  readonly config: ConfigPatch;
}

export const NOTHING_COMPLETED: Completion = { inputs: [], outputs: [], config: {} };

type Loose = Readonly<Record<string, unknown>>;

/** Checks what `autoComplete` returned; undefined completes nothing. INVALID_ARGUMENT names what is wrong. */
export function readCompletion(value: unknown): Completion {
  if (value === undefined || value === null) return NOTHING_COMPLETED;
  if (typeof value !== "object") throw wrong(`must return an object, got ${typeof value}`);
  const { maxBatchSize, decoupled, dynamicBatching, inputs, outputs } = value as Loose;
  if (maxBatchSize !== undefined && !(Number.isSafeInteger(maxBatchSize) && Number(maxBatchSize) >= 0))
    throw wrong(`maxBatchSize must be a whole number, got ${String(maxBatchSize)}`);
  return {
    inputs: readTensors("inputs", inputs),
    outputs: readTensors("outputs", outputs),
    config: {
      ...(maxBatchSize !== undefined && { maxBatchSize: Number(maxBatchSize) }),
      ...flag("decoupled", decoupled),
      ...flag("dynamicBatching", dynamicBatching),
    },
  };
}

/** The configuration with what the script said in the places where it is silent. */
export function completeConfig(config: ScriptConfig, { inputs, outputs, config: patch }: Completion): ScriptConfig {
  const { maxBatchSize, decoupled, dynamicBatching } = patch;
  const schedules = ["dynamic_batching", "sequence_batching", "ensemble_scheduling"].some((key) => key in config);
  return {
    ...config,
    ...(inputs.length > 0 && { input: completeTensors(config["input"], inputs) }),
    ...(outputs.length > 0 && { output: completeTensors(config["output"], outputs) }),
    ...(maxBatchSize !== undefined && !config["max_batch_size"] && { max_batch_size: maxBatchSize }),
    ...(decoupled !== undefined &&
      config["model_transaction_policy"] === undefined && { model_transaction_policy: { decoupled } }),
    ...(dynamicBatching === true && !schedules && { dynamic_batching: {} }),
  };
}

/** Datatypes of the configured outputs by name, those of implicit states included. */
export function outputDatatypes(config: ScriptConfig): ReadonlyMap<string, Datatype> {
  const datatypes = new Map<string, Datatype>();
  const put = (name: unknown, dataType: unknown) => {
    const datatype = datatypeOf(dataType);
    if (typeof name === "string" && datatype !== undefined) datatypes.set(name, datatype);
  };
  const { state } = (config["sequence_batching"] ?? {}) as Loose;
  for (const { output_name, data_type } of listOf(state)) put(output_name, data_type);
  for (const { name, data_type } of listOf(config["output"])) put(name, data_type);
  return datatypes;
}

function completeTensors(configured: unknown, declared: readonly ModelTensor[]): readonly Loose[] {
  const tensors = [...listOf(configured)];
  for (const { name, datatype, dims, optional } of declared) {
    const said = { data_type: datatype === "BYTES" ? "TYPE_STRING" : `TYPE_${datatype}`, dims };
    const index = tensors.findIndex((tensor) => tensor["name"] === name);
    const tensor = tensors[index];
    if (tensor === undefined) tensors.push({ name, ...said, ...(optional === true && { optional }) });
    else
      tensors[index] = {
        ...tensor,
        ...(datatypeOf(tensor["data_type"]) === undefined && { data_type: said.data_type }),
        ...(listOf(tensor["dims"]).length === 0 && { dims }),
      };
  }
  return tensors;
}

function readTensors(member: string, value: unknown): ModelTensor[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(`${member} must be an array, got ${typeof value}`);
  return value.map((tensor: Loose | null, index): ModelTensor => {
    const { name, datatype, dims, optional } = tensor ?? {};
    if (typeof name !== "string" || name === "") throw wrong(`${member}[${index}] has no name`);
    const known = datatypeOf(datatype);
    if (known === undefined) throw wrong(`${member}[${index}] '${name}' has no datatype such as "FP32"`);
    if (!Array.isArray(dims) || !dims.every((dim) => Number.isSafeInteger(dim) && dim >= -1))
      throw wrong(`${member}[${index}] '${name}' has no dims: an array of whole numbers, -1 where any size will do`);
    return { name, datatype: known, dims, ...(optional === true && { optional }) };
  });
}

/** Both "FP32" and "TYPE_FP32"; undefined for anything else. */
function datatypeOf(value: unknown): Datatype | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.replace(/^TYPE_/, "");
  if (name === "STRING") return "BYTES";
  return isDatatype(name) ? name : undefined;
}

function flag(name: "decoupled" | "dynamicBatching", value: unknown): ConfigPatch {
  if (value === undefined) return {};
  if (typeof value !== "boolean") throw wrong(`${name} must be true or false, got ${typeof value}`);
  return { [name]: value };
}

function listOf(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? value : [];
}

function wrong(what: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `autoComplete: ${what}`);
}
