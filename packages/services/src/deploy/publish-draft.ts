import { randomUUID } from "node:crypto";
import type { Draft, PublishedDraft } from "@nereid/client";
import { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { addConfigEntry, digestOf, noteConfigOnDisk } from "../config/config-history.ts";
import type { Call, ServiceContext } from "../context.ts";
import { changeModel } from "../models/change-model.ts";
import { modelKey } from "../nodes/model-key.ts";
import { parseInput } from "../parse-input.ts";
import { changeDraftInput } from "./drafts.ts";

export const publishDraftInput = changeDraftInput.extend({
  /** Load the model afterwards. */
  load: z.boolean().default(true),
});

/** Puts a checked draft into the repository. CONFLICT when the check is missing or out of date. */
export async function publishDraft({ ctx, input }: Call<z.input<typeof publishDraftInput>>): Promise<PublishedDraft> {
  const { id, load, reason } = parseInput(publishDraftInput, input);
  const action = "draft.publish";
  await authoriseChange(ctx, "model.deploy", { action, targetType: "draft", targetId: id });
  const draft = await ctx.node.draft(id);
  const model = draft.report?.model ?? draft.model ?? id;
  return changeModel(ctx, {
    action,
    permission: "model.deploy",
    name: model,
    reason,
    asked: { draft: id, load, version: draft.report?.version ?? draft.version },
    act: async () => {
      await noteExisting(ctx, draft);
      return ctx.node.publishDraft(id, { load });
    },
    outcome: ({ version, digest, loaded, loadError }) => ({
      version,
      digest,
      loaded,
      ...(loadError === null ? {} : { loadError }),
    }),
    keep: async (tx, published) => {
      const at = new Date(ctx.clock.now());
      const { version, digest, configDigest } = published;
      const author = { id: ctx.actor.id, name: ctx.actor.name };
      await tx.deployment.create({
        data: {
          id: randomUUID(),
          at,
          model: modelKey(ctx, published.model),
          version,
          digest,
          configDigest,
          authorId: author.id,
          authorName: author.name,
          draftId: id,
          reason: reason ?? null,
        },
      });
      const text = publishedText(draft, configDigest);
      if (text === undefined) return;
      await addConfigEntry(tx, at, {
        model: modelKey(ctx, published.model),
        text,
        digest: configDigest,
        source: "deploy",
        author,
        reason,
      });
    },
  });
}

/** The text that the check announced, when it was written and is new; else the next look at the file adds an entry. */
function publishedText({ report }: Draft, configDigest: string): string | undefined {
  if (report === null || report.config.beforeDigest === configDigest) return undefined;
  return digestOf(report.config.text) === configDigest ? report.config.text : undefined;
}

/** What the new configuration replaces must stand in the history before it. */
async function noteExisting(ctx: ServiceContext, { report }: Draft): Promise<void> {
  if (report === null || report.newModel) return;
  await noteConfigOnDisk(ctx, modelKey(ctx, report.model), await ctx.node.modelConfigState(report.model));
}
