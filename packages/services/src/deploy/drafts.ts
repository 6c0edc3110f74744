import type { Draft } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { authorise } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { configText } from "../config/config-text.ts";
import type { Call, ServiceContext } from "../context.ts";
import { reason } from "../instant.ts";
import { modelName, versionNumber } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

export const draftInput = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, "is not the id of a draft") });

type DraftInput = z.input<typeof draftInput>;

export const openDraftInput = z.object({
  /** Name and version wanted; without them, from the upload and the next free number. */
  model: modelName.nullish(),
  version: versionNumber.nullish(),
  reason,
});

export const editDraftInput = draftInput.extend({
  model: modelName.nullish(),
  version: versionNumber.nullish(),
  configText: configText.nullish(),
  reason,
});

export const changeDraftInput = draftInput.extend({ reason });

/** Every draft, newest first. */
export async function listDrafts({ ctx }: Pick<Call, "ctx">): Promise<Draft[]> {
  authorise(ctx.actor, "model.read");
  return (await ctx.node.drafts()).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}

export async function getDraft({ ctx, input }: Call<DraftInput>): Promise<Draft> {
  authorise(ctx.actor, "model.read");
  return ctx.node.draft(parseInput(draftInput, input).id);
}

/** Opens a place for files. They come by tus at /api/v1/uploads and are visible to nobody before they are published. */
export async function openDraft({ ctx, input }: Call<z.input<typeof openDraftInput>>): Promise<Draft> {
  const { reason, model = null, version = null } = parseInput(openDraftInput, input);
  return changeDraft(ctx, {
    action: "draft.open",
    id: "",
    reason,
    after: { model, version },
    act: () => ctx.node.openDraft({ author: ctx.actor.name, model, version }),
    idOf: (draft) => draft.id,
  });
}

/** Changes what a draft is to become; its check is void then. */
export async function editDraft({ ctx, input }: Call<z.input<typeof editDraftInput>>): Promise<Draft> {
  const { id, reason, model, version, configText } = parseInput(editDraftInput, input);
  const patch = {
    ...(model === undefined ? {} : { model }),
    ...(version === undefined ? {} : { version }),
    ...(configText === undefined ? {} : { configText }),
  };
  const after = {
    ...patch,
    ...(typeof configText === "string" ? { configText: `${configText.length} characters` } : {}),
  };
  return changeDraft(ctx, { action: "draft.edit", id, reason, after, act: () => ctx.node.editDraft(id, patch) });
}

/** Starts the check and answers at once; ask for the draft until its state is `ready` or `refused`. */
export async function checkDraft({ ctx, input }: Call<z.input<typeof changeDraftInput>>): Promise<Draft> {
  const { id, reason } = parseInput(changeDraftInput, input);
  return changeDraft(ctx, { action: "draft.check", id, reason, act: () => ctx.node.checkDraft(id) });
}

/** Throws the files of a draft away. */
export async function discardDraft({ ctx, input }: Call<z.input<typeof changeDraftInput>>): Promise<void> {
  const { id, reason } = parseInput(changeDraftInput, input);
  await changeDraft(ctx, { action: "draft.discard", id, reason, act: () => ctx.node.discardDraft(id) });
}

interface DraftChange<Result> {
  readonly action: string;
  readonly id: string;
  readonly reason: string | undefined;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly act: () => Promise<Result>;
  readonly idOf?: (result: Result) => string;
}

async function changeDraft<Result>(ctx: ServiceContext, change: DraftChange<Result>): Promise<Result> {
  const { action, id, reason, after, act, idOf } = change;
  const target = { action, targetType: "draft", targetId: id } as const;
  await authoriseChange(ctx, "model.deploy", target);
  let result: Result;
  try {
    result = await act();
  } catch (thrown) {
    const error = NereidError.from(thrown);
    const failure = { ...after, error: error.message, code: error.code };
    await recordAudit({ ctx, input: { ...target, outcome: "failed", reason, after: failure } });
    throw error;
  }
  const targetId = idOf?.(result) ?? id;
  await recordAudit({ ctx, input: { ...target, targetId, outcome: "succeeded", reason, after } });
  return result;
}
