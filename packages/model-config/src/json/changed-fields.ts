import type { ModelConfig } from "../gen/model_config_pb.ts";
import { modelConfigToJson } from "./model-config-to-json.ts";

/**
 * Paths of the fields in which two configurations differ, such as `instance_group[0].count`, in the order of the first. A
 * message or list that only one of them has is named as a whole.
 */
export function changedFields(before: ModelConfig, after: ModelConfig): string[] {
  return differences(modelConfigToJson(before), modelConfigToJson(after), "");
}

function differences(before: unknown, after: unknown, path: string): string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [path];
    return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`));
  }
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  return Object.is(before, after) ? [] : [path];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
