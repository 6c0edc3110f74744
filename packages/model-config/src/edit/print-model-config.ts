import type { DescField } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { type EditValue, renderField } from "./render-value.ts";

/** Canonical config.pbtxt of a message; fields at their proto3 default are left out. Reads back as an equal message. */
export function printModelConfig(config: ModelConfig): string {
  const message = reflect(ModelConfigSchema, config);
  const lines: string[] = [];
  for (const field of ModelConfigSchema.fields) {
    if (message.isSet(field)) lines.push(renderField(field, fieldValue(message, field), ""));
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function fieldValue(message: ReflectMessage, field: DescField): EditValue {
  switch (field.fieldKind) {
    case "message":
      return objectOf(message.get(field));
    case "list":
      return Array.from(message.get(field), itemOf);
    case "map":
      return Object.fromEntries(Array.from(message.get(field), ([key, value]) => [String(key), itemOf(value)]));
    default:
      return itemOf(message.get(field));
  }
}

function objectOf(message: ReflectMessage): EditValue {
  const entries: [string, EditValue][] = [];
  for (const field of message.desc.fields) {
    if (message.isSet(field)) entries.push([field.name, fieldValue(message, field)]);
  }
  return Object.fromEntries(entries);
}

function itemOf(value: unknown): EditValue {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return value;
    default:
      if (isReflected(value)) return objectOf(value);
      throw new TypeError("a config holds only scalars and messages");
  }
}

function isReflected(value: unknown): value is ReflectMessage {
  return typeof value === "object" && value !== null && "desc" in value && "fields" in value;
}
