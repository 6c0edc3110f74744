import { NereidError } from "@nereid/errors";
import { configOverlay, parseModelConfig } from "@nereid/model-config";
import { putConfig } from "../../config/apply-config.ts";
import type { ChangeContext, InferenceNode } from "../../context.ts";
import { placeOf, type RolloutSpec } from "../rollout-spec.ts";

type ConfigRollout = Pick<RolloutSpec, "model" | "baseline" | "candidate" | "config" | "note">;

/** Loads the baseline's files with the new configuration as a model of its own; harmless when it is there already. */
export async function addCandidate(client: Pick<InferenceNode, "addCandidate">, spec: ConfigRollout): Promise<void> {
  const { config } = parseModelConfig(textOf(spec));
  if (config === undefined) throw new NereidError("INVALID_ARGUMENT", "the configuration cannot be read");
  // It serves the versions that the model serves, whatever policy the new text has, and answers clients at the same priority.
  const { model: name } = placeOf(spec, "candidate");
  await client.addCandidate(spec.model, { name, config: configOverlay(config), lowPriority: false });
}

/** Writes the configuration and brings it into effect, with an entry in the model's history. CONFLICT when somebody changed the file since. */
export async function applyCandidate(ctx: ChangeContext, spec: ConfigRollout): Promise<void> {
  await putConfig(ctx, {
    name: spec.model,
    text: textOf(spec),
    ifDigest: spec.config?.ifDigest ?? "",
    reason: spec.note === "" ? "promoted by a rollout" : `promoted by a rollout: ${spec.note}`,
    action: "config.apply",
    source: "apply",
  });
}

/** Unloads what was made for the candidate; nothing when it has gone. */
export async function removeCandidate(
  client: Pick<InferenceNode, "removeCandidate">,
  spec: ConfigRollout,
): Promise<void> {
  try {
    await client.removeCandidate(placeOf(spec, "candidate").model);
  } catch (thrown) {
    if (NereidError.from(thrown).code !== "NOT_FOUND") throw thrown;
  }
}

function textOf({ config }: ConfigRollout): string {
  if (config === null) throw new NereidError("INTERNAL", "a rollout of a version has no configuration");
  return config.text;
}
