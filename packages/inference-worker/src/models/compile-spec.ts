import { NereidError } from "@nereid/errors";
import type { ModelConfig, OnnxSignature, OnnxTensor } from "@nereid/model-config";
import { datatypeFromConfig, dimsOf, modelDimsOf } from "@nereid/model-config";
import { isDatatype } from "@nereid/protocol";
import type { ExecutionStyle } from "../runner-protocol/messages.ts";
import type { AdmissionLimits } from "../scheduler/policy.ts";
import { compileAdmission } from "./compile-admission.ts";
import { compileBatchInputs, compileBatchOutputs } from "./compile-batch-io.ts";
import { compilePriorities, schedulingOf } from "./compile-scheduling.ts";
import type { InstanceSpec, ModelSpec, TensorSpec } from "./model-spec.ts";

export interface CompileContext {
  readonly version: string;
  readonly instances: readonly InstanceSpec[];
  /** Inputs and outputs of the model itself. */
  readonly signature: OnnxSignature;
  /** Labels by output name. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  readonly execution: ExecutionStyle;
  readonly tellsReadiness?: boolean | undefined;
  /** Whether the server has a response cache. */
  readonly cache: boolean;
  /** Limits of queues that the model itself does not limit. */
  readonly admission: AdmissionLimits;
  /** Content of a file below the model's `initial_state` directory. */
  readonly readInitialState: (file: string) => Uint8Array;
}

/** Turns a completed and validated configuration into what the request path reads. */
export function compileSpec(config: ModelConfig, context: CompileContext): ModelSpec {
  const { signature, labels } = context;
  const inputs = config.input.map((input) =>
    tensorSpec(input, named(signature.inputs, input.name), {
      optional: input.optional,
      labels: [],
      ...(input.allowRaggedBatch && config.maxBatchSize > 0 && { ragged: true }),
    }),
  );
  const outputs = config.output.map((output) =>
    tensorSpec(output, named(signature.outputs, output.name), {
      optional: false,
      labels: labels.get(output.name) ?? [],
    }),
  );
  return {
    name: config.name,
    version: context.version,
    platform: config.platform,
    backend: config.backend,
    maxBatchSize: config.maxBatchSize,
    inputs,
    outputs,
    inputByName: new Map(inputs.map((input) => [input.name, input])),
    outputByName: new Map(outputs.map((output) => [output.name, output])),
    requiredInputs: inputs.filter(({ optional }) => !optional).length,
    scheduling: schedulingOf(config, { readInitialState: context.readInitialState, outputs }),
    priorities: compilePriorities(config),
    ...compileAdmission(config, context.admission),
    batchInputs: compileBatchInputs(config),
    batchOutputs: compileBatchOutputs(config),
    execution: context.execution,
    tellsReadiness: context.tellsReadiness === true,
    cached: context.cache && config.responseCache?.enable === true,
    decoupled: config.modelTransactionPolicy?.decoupled ?? false,
    instances: context.instances,
  };
}

type ConfigTensor = ModelConfig["input"][number] | ModelConfig["output"][number];

function named(tensors: readonly OnnxTensor[], name: string): OnnxTensor | undefined {
  return tensors.find((tensor) => tensor.name === name);
}

function tensorSpec(
  tensor: ConfigTensor,
  model: OnnxTensor | undefined,
  rest: Pick<TensorSpec, "optional" | "labels" | "ragged">,
): TensorSpec {
  const datatype = datatypeFromConfig(tensor.dataType);
  if (datatype === undefined || !isDatatype(datatype))
    throw new NereidError("INVALID_ARGUMENT", `tensor '${tensor.name}' has no data_type`);
  const dims = dimsOf(tensor);
  // A ragged input is one dimension to the model, whatever its items look like.
  const inModel = rest.ragged === true ? dims : modelDimsOf(tensor, model);
  // The very same array says that there is nothing to reshape.
  const modelDims = inModel.length === dims.length && tensor.reshape === undefined ? dims : inModel;
  const variable = dims.includes(-1) && rest.ragged !== true;
  return { name: tensor.name, datatype, dims, modelDims, variable, ...rest };
}
