import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";
import { parseCostMeasure } from "../scheduler/cost-of.ts";
import { parseCostClasses } from "../scheduler/parse-cost-classes.ts";
import type { AdmissionLimits } from "../scheduler/policy.ts";
import type { ModelSpec } from "./model-spec.ts";

/** Keys of a model's `parameters` that limit its queue. */
export const ADMISSION_KEYS = [
  "max_queue_requests",
  "max_queue_bytes",
  "max_queue_wait_ms",
  "cost_measure",
  "cost_classes",
] as const;

const NS_PER_MS = 1e6;

/**
 * Limits of a model's queue: its own, else those of the server. INVALID_ARGUMENT for a value that is not of its kind; the message
 * names the key and what it takes.
 */
export function compileAdmission(
  config: ModelConfig,
  defaults: AdmissionLimits,
): Pick<ModelSpec, "admission" | "costMeasure"> {
  const text = (key: (typeof ADMISSION_KEYS)[number]) => config.parameters[key]?.stringValue;
  const number = (key: (typeof ADMISSION_KEYS)[number], otherwise: number, unit = 1) => {
    const given = text(key);
    return given === undefined ? otherwise : wholeNumber(key, given) * unit;
  };
  const classes = text("cost_classes");
  const measure = text("cost_measure");
  return {
    admission: {
      maxRequests: number("max_queue_requests", defaults.maxRequests),
      maxBytes: number("max_queue_bytes", defaults.maxBytes),
      maxPredictedWaitNs: number("max_queue_wait_ms", defaults.maxPredictedWaitNs, NS_PER_MS),
      classes: classes === undefined ? defaults.classes : parseCostClasses(classes),
    },
    costMeasure: measure === undefined ? { kind: "elements" } : parseCostMeasure(measure),
  };
}

function wholeNumber(key: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", `parameter '${key}' must be a whole number, got '${text.slice(0, 50)}'`);
  return Number(text);
}
