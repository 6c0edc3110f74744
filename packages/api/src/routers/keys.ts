import { createKey, createKeyInput, listKeys, revokeKey, revokeKeyInput } from "@nereid/services";
import { z } from "zod";
import { createdKey, keyRow } from "../rest/account-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const keysRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/keys",
        summary: "Your API keys; everybody's for administrators",
        permission: "key.manage",
        output: { name: "Keys", schema: z.array(keyRow) },
      },
    })
    .query(({ ctx }) => listKeys({ ctx: ctx.service })),
  create: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/keys",
        summary: "Make an API key; its secret is in this answer only",
        permission: "key.manage",
        output: { name: "CreatedKey", schema: createdKey },
      },
    })
    .input(createKeyInput)
    .mutation(({ ctx, input }) => createKey({ ctx: ctx.service, input })),
  revoke: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/keys/{id}",
        summary: "End a key at once",
        permission: "key.manage",
      },
    })
    .input(revokeKeyInput)
    .mutation(({ ctx, input }) => revokeKey({ ctx: ctx.service, input })),
});
