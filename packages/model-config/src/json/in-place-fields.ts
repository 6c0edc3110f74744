import { clone } from "@bufbuild/protobuf";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";

/**
 * The two fields that a server can follow without loading a version anew: which versions are served, and how many
 * instances serve them.
 */

/** A copy without them: two versions whose copies are equal need no reload to become each other. */
export function withoutInPlaceFields(config: ModelConfig): ModelConfig {
  const copy = clone(ModelConfigSchema, config);
  delete copy.versionPolicy;
  copy.instanceGroup = [];
  return copy;
}

/** A copy of a configuration with these fields taken from another. */
export function withInPlaceFieldsOf(source: ModelConfig, config: ModelConfig): ModelConfig {
  const copy = withoutInPlaceFields(config);
  const from = clone(ModelConfigSchema, source);
  if (from.versionPolicy !== undefined) copy.versionPolicy = from.versionPolicy;
  copy.instanceGroup = from.instanceGroup;
  return copy;
}
