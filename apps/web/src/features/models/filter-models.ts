import type { ModelStatus } from "@nereid/client";
import { modelState } from "./model-state.ts";

/** Models whose name, backend or state holds every word of the filter. */
export function filterModels(models: readonly ModelStatus[], filter: string): ModelStatus[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const text = `${model.name} ${model.backend} ${model.platform} ${modelState(model).state}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** One sentence about the whole list: "3 of 5 models ready, 1 failed to load". */
export function modelsSentence(models: readonly ModelStatus[]): string {
  const count = (state: string) => models.filter((model) => modelState(model).state === state).length;
  const parts = [`${count("ready")} of ${models.length} ${models.length === 1 ? "model" : "models"} ready`];
  if (count("loading") > 0) parts.push(`${count("loading")} loading`);
  if (count("failed") > 0) parts.push(`${count("failed")} failed to load`);
  if (count("unavailable") > 0) parts.push(`${count("unavailable")} unavailable`);
  return parts.join(", ");
}
