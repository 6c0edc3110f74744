import {
  changeDraftInput,
  checkDraft,
  discardDraft,
  draftInput,
  editDraft,
  editDraftInput,
  getDraft,
  listDrafts,
  openDraft,
  openDraftInput,
  publishDraft,
  publishDraftInput,
} from "@nereid/services";
import { z } from "zod";
import { draft, publishedDraft } from "../rest/draft-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const deployRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/drafts",
        summary: "Every draft, newest first",
        permission: "model.read",
        output: { name: "Drafts", schema: z.array(draft) },
      },
    })
    .query(({ ctx }) => listDrafts({ ctx: ctx.service })),
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/drafts/{id}",
        summary: "One draft with the report of its check",
        permission: "model.read",
        output: { name: "Draft", schema: draft },
      },
    })
    .input(draftInput)
    .query(({ ctx, input }) => getDraft({ ctx: ctx.service, input })),
  open: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/drafts",
        summary: "Open a draft for uploads",
        permission: "model.deploy",
        output: { name: "Draft", schema: draft },
      },
    })
    .input(openDraftInput)
    .mutation(({ ctx, input }) => openDraft({ ctx: ctx.service, input })),
  edit: viewerProcedure
    .meta({
      rest: {
        method: "PATCH",
        path: "/drafts/{id}",
        summary: "Change what a draft is to become",
        permission: "model.deploy",
        output: { name: "Draft", schema: draft },
      },
    })
    .input(editDraftInput)
    .mutation(({ ctx, input }) => editDraft({ ctx: ctx.service, input })),
  check: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/drafts/{id}/check",
        summary: "Start the check; ask for the draft until it is ready or refused",
        permission: "model.deploy",
        output: { name: "Draft", schema: draft },
      },
    })
    .input(changeDraftInput)
    .mutation(({ ctx, input }) => checkDraft({ ctx: ctx.service, input })),
  publish: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/drafts/{id}/publish",
        summary: "Put a checked draft into the repository",
        permission: "model.deploy",
        output: { name: "PublishedDraft", schema: publishedDraft },
      },
    })
    .input(publishDraftInput)
    .mutation(({ ctx, input }) => publishDraft({ ctx: ctx.service, input })),
  discard: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/drafts/{id}",
        summary: "Throw a draft away",
        permission: "model.deploy",
      },
    })
    .input(changeDraftInput)
    .mutation(({ ctx, input }) => discardDraft({ ctx: ctx.service, input })),
});
