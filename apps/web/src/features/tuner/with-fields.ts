import { type ConfigEdit, type EditValue, editModelConfig, parseModelConfig } from "@nereid/model-config";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A configuration file with these top-level fields as they are recommended; comments and all else stay. Null where the file cannot be edited:
 * it is broken, or a field is not known. Pure.
 */
export function withFields(text: string, fields: Readonly<Record<string, Json>>): string | null {
  const edits = Object.entries(fields).map(([path, value]): ConfigEdit => {
    const said = pruned(value);
    // A batcher without a word is one that has its defaults.
    const isPresent = value !== null && (said !== undefined || path === "dynamic_batching");
    return isPresent ? { op: "set", path, value: said ?? {} } : { op: "remove", path };
  });
  try {
    return editModelConfig(parseModelConfig(text).document, edits);
  } catch {
    return null;
  }
}

/** A value without what says nothing; undefined where nothing is left. */
function pruned(value: Json): EditValue | undefined {
  if (value === null || value === "" || value === 0 || value === false) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Json) => pruned(item) ?? []);
    return items.length === 0 ? undefined : items;
  }
  const kept = Object.entries(value).flatMap(([name, inner]): [string, EditValue][] => {
    const said = pruned(inner);
    return said === undefined ? [] : [[name, said]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
