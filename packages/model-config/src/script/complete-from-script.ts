import { clone, create } from "@bufbuild/protobuf";
import { datatypeToConfig } from "../datatype.ts";
import { fillScheduler } from "../fill/fill-model-config.ts";
import {
  DataType,
  type ModelConfig,
  ModelConfigSchema,
  ModelDynamicBatchingSchema,
  ModelInputSchema,
  ModelOutputSchema,
  ModelTransactionPolicySchema,
} from "../gen/model_config_pb.ts";

/** What a script says of itself; dims without the batch dimension, anything that is no number is variable. */
export interface ScriptSignature {
  readonly inputs: readonly ScriptTensor[];
  readonly outputs: readonly ScriptTensor[];
  readonly config?:
    | { readonly maxBatchSize?: number; readonly decoupled?: boolean; readonly dynamicBatching?: boolean }
    | undefined;
}

interface ScriptTensor {
  readonly name: string;
  readonly datatype: Parameters<typeof datatypeToConfig>[0];
  readonly dims: readonly (number | string)[];
  readonly optional?: boolean;
}

/**
 * Fills what the configuration leaves open from what a script declares. The argument is not changed. What a JavaScript model declares
 * is taken as a whole where the configuration has none; that of others, which saw the configuration, tensor by tensor.
 */
export function completeFromScript(config: ModelConfig, script: ScriptSignature): ModelConfig {
  const filled = clone(ModelConfigSchema, config);
  const { inputs, outputs, config: patch } = script;
  if (config.backend !== "javascript") {
    mergeTensors(filled, script);
    if (patch?.maxBatchSize !== undefined) filled.maxBatchSize = patch.maxBatchSize;
  }
  if (filled.input.length === 0) {
    filled.input = inputs.map((input) =>
      create(ModelInputSchema, { ...tensorFields(input), optional: input.optional === true }),
    );
  }
  if (filled.output.length === 0)
    filled.output = outputs.map((output) => create(ModelOutputSchema, tensorFields(output)));
  if (patch?.maxBatchSize !== undefined && filled.maxBatchSize === 0) filled.maxBatchSize = patch.maxBatchSize;
  if (patch?.decoupled === true)
    filled.modelTransactionPolicy ??= create(ModelTransactionPolicySchema, { decoupled: true });
  if (patch?.dynamicBatching === true && filled.schedulingChoice.case === undefined)
    filled.schedulingChoice = { case: "dynamicBatching", value: create(ModelDynamicBatchingSchema) };
  fillScheduler(filled);
  return filled;
}

function mergeTensors(filled: ModelConfig, { inputs, outputs }: ScriptSignature): void {
  for (const declared of inputs) {
    const { dataType, dims } = tensorFields(declared);
    const configured = filled.input.find(({ name }) => name === declared.name);
    if (configured === undefined)
      filled.input.push(create(ModelInputSchema, { ...tensorFields(declared), optional: declared.optional === true }));
    else fillTensor(configured, { dataType, dims, optional: declared.optional === true });
  }
  for (const declared of outputs) {
    const configured = filled.output.find(({ name }) => name === declared.name);
    if (configured === undefined) filled.output.push(create(ModelOutputSchema, tensorFields(declared)));
    else fillTensor(configured, tensorFields(declared));
  }
}

function fillTensor<T extends { dataType: DataType; dims: bigint[] }>(configured: T, declared: Partial<T>): void {
  const { dataType, dims, ...more } = declared;
  if (configured.dataType === DataType.TYPE_INVALID && dataType !== undefined) configured.dataType = dataType;
  if (configured.dims.length === 0 && dims !== undefined) configured.dims = dims;
  Object.assign(configured, more);
}

/** The same configuration as a decoupled model's: an ensemble is one when a step of it is. */
export function asDecoupled(config: ModelConfig): ModelConfig {
  const decoupled = clone(ModelConfigSchema, config);
  decoupled.modelTransactionPolicy = create(ModelTransactionPolicySchema, { decoupled: true });
  return decoupled;
}

function tensorFields({ name, datatype, dims }: ScriptTensor) {
  return {
    name,
    dataType: datatypeToConfig(datatype),
    dims: dims.map((dim) => (typeof dim === "number" ? BigInt(dim) : -1n)),
  };
}
