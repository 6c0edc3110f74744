import { clone, create } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type ModelConfig,
  ModelConfigSchema,
  ModelOptimizationPolicy_PinnedMemoryBufferSchema,
  ModelOptimizationPolicySchema,
  ModelVersionPolicySchema,
} from "../gen/model_config_pb.ts";
import { schedulerKind } from "../helpers.ts";
import { Report } from "../report.ts";
import type { ConfigDocument } from "../text/tree.ts";
import { resolveBackend } from "./resolve-backend.ts";

/** Idle time after which a sequence ends when the config gives none, in microseconds. */
const DEFAULT_SEQUENCE_IDLE_US = 1_000_000n;

export interface FillContext {
  readonly directoryName: string;
  /** Names of the files and directories in the lexicographically first sub-directory of the model directory. */
  readonly versionEntries: readonly string[];
  readonly document?: ConfigDocument;
}

/**
 * Fills what the server itself fills before validation (model-config.md §4.3, §5): name, backend, platform, model file,
 * version policy, preferred batch sizes, sequence idle time and the pinned memory flags. The argument is not changed.
 */
export function fillModelConfig(
  config: ModelConfig,
  context: FillContext,
): { config: ModelConfig; diagnostics: Diagnostic[] } {
  const filled = clone(ModelConfigSchema, config);
  const report = new Report(context.document);
  if (filled.name === "") filled.name = context.directoryName;
  fillBackend(filled, context, report);
  filled.versionPolicy ??= create(ModelVersionPolicySchema, {
    policyChoice: { case: "latest", value: { numVersions: 1 } },
  });
  fillScheduler(filled);
  if (schedulerKind(filled) !== "ensemble" && filled.platform !== "ensemble") fillPinnedMemory(filled);
  return { config: filled, diagnostics: report.diagnostics };
}

function fillBackend(config: ModelConfig, context: FillContext, report: Report): void {
  if (config.platform === "ensemble") return;
  const given = { backend: config.backend, platform: config.platform, filename: config.defaultModelFilename };
  const resolved = resolveBackend(given, context.directoryName, context.versionEntries);
  if (resolved === undefined) {
    const isEnsemble = schedulerKind(config) === "ensemble";
    report.add({
      code: "backend-undetermined",
      path: "backend",
      message:
        `Invalid model name: Could not determine backend for model '${context.directoryName}' with no backend in ` +
        "model configuration. Expected model name of the form 'model.<backend_name>'.",
      help: isEnsemble
        ? 'Write platform: "ensemble".'
        : 'Name the backend, for example backend: "onnxruntime", or put the model file (model.onnx) into the version directory.',
    });
    return;
  }
  config.backend = resolved.backend;
  config.platform = resolved.platform;
  config.defaultModelFilename = resolved.filename;
}

/** Fills the open settings of the batching schedulers of `config` in place; without batching no size is preferred. */
export function fillScheduler(config: ModelConfig): void {
  const { schedulingChoice, maxBatchSize } = config;
  const preferred = maxBatchSize > 0 ? [maxBatchSize] : [];
  if (schedulingChoice.case === "dynamicBatching") {
    const batching = schedulingChoice.value;
    if (batching.preferredBatchSize.length === 0) batching.preferredBatchSize = preferred;
  } else if (schedulingChoice.case === "sequenceBatching") {
    const batching = schedulingChoice.value;
    if (batching.maxSequenceIdleMicroseconds === 0n) batching.maxSequenceIdleMicroseconds = DEFAULT_SEQUENCE_IDLE_US;
    const strategy = batching.strategyChoice;
    if (strategy.case === "oldest" && strategy.value.preferredBatchSize.length === 0) {
      strategy.value.preferredBatchSize = preferred;
    }
  }
}

function fillPinnedMemory(config: ModelConfig): void {
  const optimization = config.optimization ?? create(ModelOptimizationPolicySchema);
  const enabled = { enable: true };
  optimization.inputPinnedMemory ??= create(ModelOptimizationPolicy_PinnedMemoryBufferSchema, enabled);
  optimization.outputPinnedMemory ??= create(ModelOptimizationPolicy_PinnedMemoryBufferSchema, enabled);
  config.optimization = optimization;
}
