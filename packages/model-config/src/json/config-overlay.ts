import type { JsonValue } from "@bufbuild/protobuf";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { modelConfigToJson } from "./model-config-to-json.ts";

/**
 * The fields to lay over another configuration of the same model so that this one comes of it: what is said here, and null for what is
 * not, which takes the other's away. The name is left out. Pure.
 */
export function configOverlay(config: ModelConfig): Readonly<Record<string, JsonValue>> {
  const json = modelConfigToJson(config);
  const said = typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
  const fields = ModelConfigSchema.fields.flatMap(({ name }): [string, JsonValue][] =>
    name === "name" ? [] : [[name, isDefault(said[name]) ? null : (said[name] ?? null)]],
  );
  return Object.fromEntries(fields);
}

/** What a field says that stands nowhere. A message that is there says something even without fields. */
function isDefault(value: JsonValue | undefined): boolean {
  return (
    value === undefined ||
    value === 0 ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
