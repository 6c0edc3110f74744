import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { NUMBER_FIELDS } from "./number-fields.ts";

/**
 * The JSON of the config endpoint (model-config.md §10): snake_case, defaults printed, absent messages and oneof members
 * left out, 64-bit integers as numbers where Triton prints numbers. Such a number beyond 2^53 loses precision, as it
 * would in any JavaScript reader.
 */
export function modelConfigToJson(config: ModelConfig): JsonValue {
  const json = toJson(ModelConfigSchema, config, { useProtoFieldName: true, alwaysEmitImplicit: true });
  return convert(json, "");
}

const MAPS = new Set(["dynamic_batching.priority_queue_policy", "model_warmup.inputs"]);

function convert(value: JsonValue, path: string): JsonValue {
  if (typeof value === "string") return NUMBER_FIELDS.has(path) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((item) => convert(item, path));
  if (typeof value !== "object" || value === null) return value;
  const keyed = MAPS.has(path);
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const step = keyed ? "*" : key;
    return [key, convert(item, path === "" ? step : `${path}.${step}`)];
  });
  return Object.fromEntries(entries);
}
