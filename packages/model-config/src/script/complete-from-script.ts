import { clone, create } from "@bufbuild/protobuf";
import { datatypeToConfig } from "../datatype.ts";
import { fillScheduler } from "../fill/fill-model-config.ts";
import {
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

/** Fills what the configuration leaves open from what a script declares. The argument is not changed. */
export function completeFromScript(config: ModelConfig, script: ScriptSignature): ModelConfig {
  const filled = clone(ModelConfigSchema, config);
  const { inputs, outputs, config: patch } = script;
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
