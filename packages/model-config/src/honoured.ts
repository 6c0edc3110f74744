import type { DescMessage } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Diagnostic } from "./diagnostic.ts";
import { type ModelConfig, ModelConfigSchema } from "./gen/model_config_pb.ts";
import { Report } from "./report.ts";
import type { ConfigDocument } from "./text/tree.ts";

/**
 * Warns about every set field that the server does not act on. `honoured` holds schema paths without indices
 * (`optimization.cuda`, `dynamic_batching`); a path covers everything below it. A block none of whose fields is honoured
 * is reported once. Fields at their proto3 default count as not set. Pass the config before it is filled.
 */
export function notHonoured(
  config: ModelConfig,
  honoured: ReadonlySet<string>,
  options: { readonly document?: ConfigDocument } = {},
): Diagnostic[] {
  const report = new Report(options.document);
  const found = new Map<string, string>();
  collect(reflect(ModelConfigSchema, config), { schema: "", text: "" }, { honoured, found });
  for (const [schemaPath, path] of found) {
    report.add({
      severity: "warning",
      code: "not-honoured",
      path,
      message: `${schemaPath} is accepted but has no effect on this server`,
      help: "Remove it, or keep it for servers that act on it.",
    });
  }
  return report.diagnostics;
}

interface Walk {
  readonly honoured: ReadonlySet<string>;
  /** Schema path -> path of its first occurrence. */
  readonly found: Map<string, string>;
}

function collect(message: ReflectMessage, at: { schema: string; text: string }, walk: Walk): void {
  const desc: DescMessage = message.desc;
  for (const field of desc.fields) {
    if (!message.isSet(field)) continue;
    const schema = at.schema === "" ? field.name : `${at.schema}.${field.name}`;
    const text = at.text === "" ? field.name : `${at.text}.${field.name}`;
    if (walk.honoured.has(schema)) continue;
    if (!hasHonouredBelow(schema, walk.honoured)) {
      if (!walk.found.has(schema)) walk.found.set(schema, text);
    } else if (field.fieldKind === "message") {
      collect(message.get(field), { schema, text }, walk);
    } else if (field.fieldKind === "list" && field.listKind === "message") {
      let index = 0;
      for (const item of message.get(field)) {
        if (isReflected(item)) collect(item, { schema, text: `${text}[${index}]` }, walk);
        index += 1;
      }
    } else if (field.fieldKind === "map" && field.mapKind === "message") {
      for (const [key, item] of message.get(field)) {
        if (isReflected(item)) collect(item, { schema, text: `${text}[${JSON.stringify(String(key))}]` }, walk);
      }
    }
  }
}

function isReflected(value: unknown): value is ReflectMessage {
  return typeof value === "object" && value !== null && "desc" in value && "fields" in value;
}

function hasHonouredBelow(schema: string, honoured: ReadonlySet<string>): boolean {
  for (const path of honoured) if (path.startsWith(`${schema}.`)) return true;
  return false;
}
