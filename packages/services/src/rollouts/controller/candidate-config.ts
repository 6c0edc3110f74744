import type { Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { configOverlay, parseModelConfig } from "@nereid/model-config";
import { putConfig } from "../../config/apply-config.ts";
import { addConfigEntry, digestOf } from "../../config/config-history.ts";
import type { ChangeContext, InferenceNode } from "../../context.ts";
import { modelKey } from "../../nodes/model-key.ts";
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

/**
 * Writes the configuration and brings it into effect, with an entry in the model's history. Nothing when the file has it already: a
 * controller before this one asked for it, or a call that took too long, and the server loads it. CONFLICT when somebody changed the
 * file to something else since.
 */
export async function applyCandidate(ctx: ChangeContext, spec: ConfigRollout): Promise<void> {
  if (await isWritten(ctx, spec)) return;
  const { model: name, config } = spec;
  const put = { name, text: textOf(spec), ifDigest: config?.ifDigest ?? "", reason: reasonOf(spec) };
  try {
    await putConfig(ctx, { ...put, action: "config.apply", source: "apply" });
  } catch (thrown) {
    if (NereidError.from(thrown).code !== "CONFLICT" || !(await isWritten(ctx, spec))) throw thrown;
  }
}

/** The entry in the model's history that whoever applied the configuration did not come to write; nothing when it is there. */
export async function noteApplied(tx: Transaction, { at, node }: AppliedAt, spec: ConfigRollout): Promise<void> {
  const text = textOf(spec);
  const model = modelKey(node, spec.model);
  const digest = digestOf(text);
  const newest = await tx.configEntry.findFirst({ where: { model }, orderBy: { number: "desc" } });
  if (newest?.digest === digest) return;
  const { actor } = node;
  const author = { id: actor.id, name: actor.name };
  await addConfigEntry(tx, at, { model, text, digest, source: "apply", author, reason: reasonOf(spec) });
}

interface AppliedAt {
  readonly at: Date;
  readonly node: Pick<ChangeContext, "nodeId" | "actor">;
}

async function isWritten({ node }: Pick<ChangeContext, "node">, spec: ConfigRollout): Promise<boolean> {
  return (await node.modelConfigState(spec.model)).digest === digestOf(textOf(spec));
}

function reasonOf({ note }: ConfigRollout): string {
  return note === "" ? "promoted by a rollout" : `promoted by a rollout: ${note}`;
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
