import type { ConfigDiagnostic, GraphSummary } from "@nereid/client";
import {
  checkAgainstOnnx,
  completeFromOnnx,
  type Diagnostic,
  fillModelConfig,
  type Gpu,
  hasErrors,
  parseModelConfig,
  validateModelConfig,
} from "@nereid/model-config";
import { signatureOf } from "./graph-signature.ts";

export interface ConfigContext {
  readonly model: string;
  /** Names of the files in the version directory. */
  readonly versionEntries: readonly string[];
  readonly graph: GraphSummary;
  readonly gpus: readonly Gpu[];
  readonly cudaBuild: boolean;
  /** Batch size that a model gets whose configuration gives no inputs and outputs. */
  readonly defaultMaxBatchSize: number;
}

/** Everything that is wrong with a configuration text for a graph, as a load would find it. Pure. */
export function checkConfigText(text: string, context: ConfigContext): readonly ConfigDiagnostic[] {
  const parsed = parseModelConfig(text, { file: "config.pbtxt" });
  if (parsed.config === undefined) return parsed.diagnostics;
  const { document } = parsed;
  const found: Diagnostic[] = [...parsed.diagnostics];
  const { model, versionEntries } = context;
  const filled = fillModelConfig(parsed.config, { directoryName: model, versionEntries, document });
  found.push(...filled.diagnostics);
  if (hasErrors(found)) return found;
  const validation = { directoryName: model, document, gpus: context.gpus, cudaBuild: context.cudaBuild };
  const first = validateModelConfig(filled.config, { ...validation, io: "skip" });
  const signature = signatureOf(context.graph);
  if (hasErrors(first) || signature === undefined) return [...found, ...first];
  const { defaultMaxBatchSize } = context;
  const completed = completeFromOnnx(filled.config, signature, { defaultMaxBatchSize, document });
  found.push(...completed.diagnostics, ...validateModelConfig(completed.config, { ...validation, io: "required" }));
  if (!hasErrors(found)) found.push(...checkAgainstOnnx(completed.config, signature, { document }));
  return found;
}
