import { clone, create } from "@bufbuild/protobuf";
import { datatypeToConfig } from "../datatype.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { fillScheduler } from "../fill/fill-model-config.ts";
import {
  type ModelConfig,
  ModelConfigSchema,
  ModelDynamicBatchingSchema,
  ModelInputSchema,
  ModelOutputSchema,
  ModelTensorReshapeSchema,
} from "../gen/model_config_pb.ts";
import { Report } from "../report.ts";
import type { ConfigDocument } from "../text/tree.ts";
import { fixOf } from "../validate/scope.ts";
import { extraInputs, stateOutputs } from "./extra-inputs.ts";
import { type OnnxSignature, type OnnxTensor, shapeOf, supportsBatching } from "./onnx-signature.ts";

export interface OnnxCompletionOptions {
  /** The backend's `default-max-batch-size`; 4 when nothing else is configured, 0 keeps models unbatched. */
  readonly defaultMaxBatchSize: number;
  readonly document?: ConfigDocument;
}

/**
 * Completes batching, inputs and outputs from the graph (model-config.md §7). Does nothing when the config gives both
 * inputs (batch inputs count) and outputs. The argument is not changed. Inputs and outputs come in the graph's order.
 */
export function completeFromOnnx(
  config: ModelConfig,
  signature: OnnxSignature,
  options: OnnxCompletionOptions,
): { config: ModelConfig; diagnostics: Diagnostic[] } {
  const hasInputs = config.input.length > 0 || config.batchInput.length > 0;
  if (hasInputs && config.output.length > 0) return { config, diagnostics: [] };
  const filled = clone(ModelConfigSchema, config);
  if (supportsBatching(signature)) {
    fillBatching(filled, options.defaultMaxBatchSize);
  } else if (filled.maxBatchSize !== 0) {
    const report = new Report(options.document);
    report.add({
      code: "autofill-failed",
      path: "max_batch_size",
      message: `autofill failed for model '${config.name}': model does not support batching while non-zero max_batch_size is specified`,
      help: "Write max_batch_size: 0, or export the model with a variable first dimension in every input and output.",
      fix: fixOf(report, "Write max_batch_size: 0", { op: "set", path: "max_batch_size", value: 0 }),
    });
    return { config, diagnostics: report.diagnostics };
  }
  const batches = filled.maxBatchSize > 0;
  if (!hasInputs) {
    // Clients do not send what the server itself feeds.
    const own = new Set(extraInputs(config).map(({ name }) => name));
    filled.input = signature.inputs
      .filter(({ name }) => !own.has(name))
      .map((tensor) => create(ModelInputSchema, tensorFields(tensor, batches)));
  }
  if (filled.output.length === 0) {
    const states = new Set(stateOutputs(config));
    filled.output = signature.outputs
      .filter(({ name }) => !states.has(name))
      .map((tensor) => create(ModelOutputSchema, tensorFields(tensor, batches)));
  }
  return { config: filled, diagnostics: [] };
}

function fillBatching(config: ModelConfig, defaultMaxBatchSize: number): void {
  if (config.maxBatchSize === 0) config.maxBatchSize = defaultMaxBatchSize;
  if (config.maxBatchSize > 1 && config.schedulingChoice.case === undefined) {
    config.schedulingChoice = { case: "dynamicBatching", value: create(ModelDynamicBatchingSchema) };
  }
  fillScheduler(config);
}

function tensorFields(tensor: OnnxTensor, batches: boolean) {
  const shape = shapeOf(tensor).slice(batches ? 1 : 0);
  const fields = { name: tensor.name, dataType: datatypeToConfig(tensor.datatype) };
  if (shape.length > 0) return { ...fields, dims: shape.map(BigInt) };
  const scalar = { ...fields, dims: [1n] };
  return batches ? { ...scalar, reshape: create(ModelTensorReshapeSchema) } : scalar;
}
