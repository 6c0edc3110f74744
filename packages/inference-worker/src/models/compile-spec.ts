import { NereidError } from "@nereid/errors";
import type { ModelConfig, OnnxSignature, OnnxTensor } from "@nereid/model-config";
import { datatypeFromConfig, dimsOf, modelDimsOf } from "@nereid/model-config";
import { isDatatype } from "@nereid/protocol";
import type { InstanceSpec, ModelSpec, Scheduling, TensorSpec } from "./model-spec.ts";

const NS_PER_MICROSECOND = 1000;

export interface CompileContext {
  readonly version: string;
  readonly instances: readonly InstanceSpec[];
  /** Inputs and outputs of the model itself. */
  readonly signature: OnnxSignature;
  /** Labels by output name. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/** Turns a completed and validated configuration into what the request path reads. */
export function compileSpec(config: ModelConfig, context: CompileContext): ModelSpec {
  const { signature, labels } = context;
  const inputs = config.input.map((input) =>
    tensorSpec(input, named(signature.inputs, input.name), { optional: input.optional, labels: [] }),
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
    scheduling: schedulingOf(config),
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
  rest: Pick<TensorSpec, "optional" | "labels">,
): TensorSpec {
  const datatype = datatypeFromConfig(tensor.dataType);
  if (datatype === undefined || !isDatatype(datatype))
    throw new NereidError("INVALID_ARGUMENT", `tensor '${tensor.name}' has no data_type`);
  const dims = dimsOf(tensor);
  const inModel = modelDimsOf(tensor, model);
  // The very same array says that there is nothing to reshape.
  const modelDims = inModel.length === dims.length && tensor.reshape === undefined ? dims : inModel;
  return { name: tensor.name, datatype, dims, modelDims, variable: dims.includes(-1), ...rest };
}

function schedulingOf(config: ModelConfig): Scheduling {
  if (config.schedulingChoice.case !== "dynamicBatching") return { kind: "default" };
  const batching = config.schedulingChoice.value;
  const policy = batching.defaultQueuePolicy;
  return {
    kind: "dynamic",
    batch: {
      maxBatchSize: Math.max(1, config.maxBatchSize),
      preferredBatchSizes: [...batching.preferredBatchSize].sort((a, b) => a - b),
      maxQueueDelayNs: Number(batching.maxQueueDelayMicroseconds) * NS_PER_MICROSECOND,
    },
    queue: {
      maxQueueSize: policy?.maxQueueSize ?? 0,
      defaultTimeoutNs: Number(policy?.defaultTimeoutMicroseconds ?? 0n) * NS_PER_MICROSECOND,
      allowTimeoutOverride: policy?.allowTimeoutOverride ?? false,
    },
  };
}
