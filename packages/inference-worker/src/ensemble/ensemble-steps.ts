import type { ModelConfig } from "@nereid/model-config";
import type { EnsembleStep } from "./ensemble-graph.ts";

/** The steps of an ensemble's configuration; none for other models. */
export function ensembleSteps(config: ModelConfig): readonly EnsembleStep[] {
  const { schedulingChoice } = config;
  if (schedulingChoice.case !== "ensembleScheduling") return [];
  return schedulingChoice.value.step.map(({ modelName, modelVersion, inputMap, outputMap }, index) => ({
    index,
    model: modelName,
    version: modelVersion === -1n ? undefined : String(modelVersion),
    inputs: Object.entries(inputMap).map(([input, tensor]) => ({ input, tensor })),
    outputs: Object.entries(outputMap).map(([output, tensor]) => ({ output, tensor })),
  }));
}

/** Names of the models an ensemble is made of. */
export function composingModels(config: ModelConfig): readonly string[] {
  return [...new Set(ensembleSteps(config).map(({ model }) => model))];
}
