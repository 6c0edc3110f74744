import type { Diagnostic } from "../diagnostic.ts";
import type { ModelConfig } from "../gen/model_config_pb.ts";
import { schedulerKind } from "../helpers.ts";
import { Report } from "../report.ts";
import type { ConfigDocument } from "../text/tree.ts";
import { checkBatchIo } from "./batch-io.ts";
import { checkDynamicBatching } from "./dynamic-batching.ts";
import { checkEnsemble } from "./ensemble.ts";
import { checkGeneral } from "./general.ts";
import { checkInstanceGroups } from "./instance-groups.ts";
import { checkIo, checkLabelFiles } from "./io.ts";
import { checkMetrics } from "./metrics.ts";
import type { Scope } from "./scope.ts";
import { checkSequenceBatching } from "./sequence-batching.ts";

export interface Gpu {
  readonly id: number;
  /** CUDA compute capability, for example 9.0; unknown counts as supported. */
  readonly computeCapability?: number;
}

export interface ValidationContext {
  /** Name of the model's directory. */
  readonly directoryName: string;
  /** `skip` before the backend has completed inputs and outputs, `required` after it or without auto-completion. */
  readonly io: "required" | "skip";
  /** Gives findings their positions and fixes. */
  readonly document?: ConfigDocument;
  readonly gpus: readonly Gpu[];
  /** Whether the server was built with GPU support; changes one text only. */
  readonly cudaBuild: boolean;
}

/**
 * Checks a filled config (model-config.md §3). Messages are Triton's texts; the first error is the one Triton would
 * answer. Warnings and hints about legal but suspicious settings follow with their own severity.
 */
export function validateModelConfig(config: ModelConfig, context: ValidationContext): Diagnostic[] {
  const report = new Report(context.document);
  const scope: Scope = { config, model: config.name, report };
  checkGeneral(scope, context.directoryName);
  checkDynamicBatching(scope);
  checkSequenceBatching(scope);
  checkMetrics(scope);
  if (schedulerKind(config) === "ensemble" || config.platform === "ensemble") checkEnsemble(scope);
  else checkInstanceGroups(scope, context);
  if (context.io === "required") {
    checkIo(scope);
    checkBatchIo(scope);
  }
  checkLabelFiles(scope);
  return report.diagnostics;
}
