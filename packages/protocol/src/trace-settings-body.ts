import { NereidError } from "@nereid/errors";
import type { JsonNode } from "./json-document.ts";
import { objectOf } from "./json-schema.ts";
import { readSettings, settingError } from "./json-settings.ts";

const SCALARS = ["trace_rate", "trace_count", "log_frequency"] as const;

const SCHEMA = objectOf({
  trace_file: "scalar",
  trace_level: { each: "scalar" },
  trace_rate: "scalar",
  trace_count: "scalar",
  log_frequency: "scalar",
});

/**
 * Body of `POST …/trace/setting` (http.md §12): values by setting as lists of texts, empty for null. Other members are passed over.
 * UNSUPPORTED for a file, INTERNAL for wrong types, wrong syntax and an empty body. Values are not judged here.
 */
export function parseTraceSettingsBody(body: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const members = readSettings(body, SCHEMA);
  if (members.has("trace_file"))
    throw new NereidError("UNSUPPORTED", "trace file location can not be updated through network protocol");
  const settings = new Map<string, readonly string[]>();
  const level = members.get("trace_level");
  if (level === null) settings.set("trace_level", []);
  else if (level !== undefined) {
    const texts = levels(level);
    // Only null clears; an empty list says nothing.
    if (texts.length > 0) settings.set("trace_level", texts);
  }
  for (const name of SCALARS) {
    const node = members.get(name);
    if (node === undefined) continue;
    if (node !== null && typeof node !== "string") throw settingError("string", name);
    settings.set(name, node === null ? [] : [node]);
  }
  return settings;
}

function levels(node: JsonNode): readonly string[] {
  if (!Array.isArray(node)) throw settingError("array", "trace_level");
  return (node as readonly JsonNode[]).map((item) => {
    if (typeof item !== "string") throw settingError("string", "trace_level");
    return item;
  });
}
