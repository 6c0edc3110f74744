import type { GraphSummary } from "@nereid/client";
import { completeFromOnnx, parseModelConfig, printModelConfig } from "@nereid/model-config";
import { signatureOf } from "./graph-signature.ts";

/** Batch size of a model that can be batched and whose configuration nobody wrote yet. */
const PROPOSED_BATCH = 8;

/**
 * A small `config.pbtxt` for a new model: name, backend, inputs and outputs as the graph has them; with dynamic batching when
 * every tensor has a variable first dimension. Pure.
 */
export function proposeConfig(model: string, graph: GraphSummary): string {
  const head = `name: ${JSON.stringify(model)}\nbackend: "onnxruntime"\n`;
  const signature = signatureOf(graph);
  const { config } = parseModelConfig(head);
  if (signature === undefined || config === undefined) return head;
  const completed = completeFromOnnx(config, signature, { defaultMaxBatchSize: PROPOSED_BATCH }).config;
  // Sizes that the server fills in itself would only be noise.
  if (completed.schedulingChoice.case === "dynamicBatching") completed.schedulingChoice.value.preferredBatchSize = [];
  const text = printModelConfig(completed);
  return completed.maxBatchSize > 0 ? text : text.replace(/^(backend: .*\n)/m, "$1max_batch_size: 0\n");
}
