import { clone } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";

/** Who runs the model is one decision, made in one place. */
const RUNTIME = ["platform", "backend", "runtime", "default_model_filename"];

/**
 * A copy of a model's configuration with what it does not say itself taken from the server's defaults, field by field at the top
 * level. `given` = names of the fields its own file has; platform and backend come together or not at all.
 */
export function applyModelDefaults(own: ModelConfig, defaults: ModelConfig, given: ReadonlySet<string>): ModelConfig {
  const source = reflect(ModelConfigSchema, clone(ModelConfigSchema, defaults));
  const target = reflect(ModelConfigSchema, clone(ModelConfigSchema, own));
  const namesRuntime = RUNTIME.some((name) => given.has(name));
  for (const field of ModelConfigSchema.fields) {
    const { name, oneof } = field;
    if (name === "name" || given.has(name) || !source.isSet(field)) continue;
    if (namesRuntime && RUNTIME.includes(name)) continue;
    if (oneof?.fields.some((rival) => given.has(rival.name)) === true) continue;
    target.set(field, source.get(field));
  }
  return target.message as ModelConfig;
}
