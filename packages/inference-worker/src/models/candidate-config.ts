import type { ModelConfig } from "@nereid/model-config";
import { modelConfigToJson } from "@nereid/model-config";

/** Fields of a configuration, as the `config` parameter of a load takes them. */
export type ConfigFields = Readonly<Record<string, unknown>>;

/** Only one of these can stand in a configuration. */
const SCHEDULERS = ["dynamic_batching", "sequence_batching", "ensemble_scheduling"];

/**
 * The configuration of a candidate, as the JSON of a load: that of what is served, with the given fields instead of its own. A field
 * that is null is as if it had never been set; one scheduler takes the other's place. Names in snake_case or lowerCamelCase.
 */
export function candidateConfig(base: ModelConfig, given: ConfigFields, name: string): string {
  const laid: Record<string, unknown> = { ...(modelConfigToJson(base) as ConfigFields) };
  laid["instance_group"] = withoutOwnNames(laid["instance_group"], base.name);
  const mostBefore = laid["max_batch_size"];
  const fields = Object.entries(given).map(([field, value]) => [snakeCase(field), value] as const);
  if (fields.some(([field, value]) => SCHEDULERS.includes(field) && value !== null))
    for (const scheduler of SCHEDULERS) delete laid[scheduler];
  for (const [field, value] of fields) {
    if (value === null) delete laid[field];
    else laid[field] = value;
  }
  const most = laid["max_batch_size"];
  if (most !== mostBefore && !fields.some(([field]) => SCHEDULERS.includes(field)))
    laid["dynamic_batching"] = withFittingSizes(laid["dynamic_batching"], mostBefore, most);
  // Which versions it serves is decided: those that the other model serves.
  delete laid["version_policy"];
  laid["name"] = name;
  return JSON.stringify(laid);
}

/** Preferred sizes that are just the largest batch were filled in; those beyond the new largest batch cannot be. */
function withFittingSizes(batching: unknown, before: unknown, most: unknown): unknown {
  if (batching === undefined || batching === null || typeof batching !== "object") return batching;
  const sizes = "preferred_batch_size" in batching ? batching.preferred_batch_size : [];
  if (!Array.isArray(sizes) || typeof most !== "number") return batching;
  const filledIn = sizes.length === 1 && sizes[0] === before;
  return { ...batching, preferred_batch_size: filledIn ? [] : sizes.filter((size: unknown) => Number(size) <= most) };
}

/** Groups that were named after the model are named after the candidate. */
function withoutOwnNames(groups: unknown, model: string): unknown {
  if (!Array.isArray(groups)) return groups;
  return groups.map((group: ConfigFields, index) =>
    group["name"] === `${model}_${index}` || group["name"] === model ? { ...group, name: "" } : group,
  );
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
