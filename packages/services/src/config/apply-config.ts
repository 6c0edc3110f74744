import type { ConfigApplied } from "@nereid/client";
import type { z } from "zod";
import type { Call, ChangeContext } from "../context.ts";
import { reason } from "../instant.ts";
import { changeModel } from "../models/change-model.ts";
import { modelInput } from "../models/model-name.ts";
import { modelKey } from "../nodes/model-key.ts";
import { parseInput } from "../parse-input.ts";
import { addConfigEntry, type ConfigSource, noteConfigOnDisk } from "./config-history.ts";
import { configText, ifDigest } from "./config-text.ts";

export const applyConfigInput = modelInput.extend({ text: configText, ifDigest, reason });

export interface ConfigAppliedWithHistory extends ConfigApplied {
  readonly historyId: string;
}

/**
 * Writes a configuration and brings it into effect. CONFLICT when the file was changed meanwhile; INVALID_ARGUMENT with
 * `rolledBack` in the details when the load failed and the old file is back.
 */
export async function applyConfig({
  ctx,
  input,
}: Call<z.input<typeof applyConfigInput>>): Promise<ConfigAppliedWithHistory> {
  return putConfig(ctx, { ...parseInput(applyConfigInput, input), action: "config.apply", source: "apply" });
}

export interface PutConfig extends z.output<typeof applyConfigInput> {
  readonly action: "config.apply" | "config.restore";
  readonly source: ConfigSource;
  readonly restoredFrom?: string;
}

/** Applies a text and adds it to the history. */
export async function putConfig(ctx: ChangeContext, put: PutConfig): Promise<ConfigAppliedWithHistory> {
  const { name, text, ifDigest, reason, action, source, restoredFrom } = put;
  let historyId = "";
  const applied = await changeModel(ctx, {
    action,
    permission: "model.configure",
    name,
    reason,
    asked: { fromDigest: ifDigest, ...(restoredFrom === undefined ? {} : { restoredFrom }) },
    act: async () => {
      await noteConfigOnDisk(ctx, modelKey(ctx, name), await ctx.node.modelConfigState(name));
      return ctx.node.applyConfig(name, { text, ifDigest });
    },
    outcome: ({ digest, change }) => ({ digest, change: change.kind, fields: change.fields }),
    keep: async (tx, { digest }) => {
      historyId = await addConfigEntry(tx, new Date(ctx.clock.now()), {
        model: modelKey(ctx, name),
        text,
        digest,
        source,
        author: { id: ctx.actor.id, name: ctx.actor.name },
        reason,
        ...(restoredFrom === undefined ? {} : { restoredFrom }),
      });
    },
  });
  return { ...applied, historyId };
}
