import { hasTwoFactor, permissionsOf } from "@nereid/services";
import { me } from "../rest/account-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const sessionRouter = router({
  /** Who is signed in and what that role may do. */
  me: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/me",
        summary: "Who is calling, and what they may do",
        permission: "session",
        output: { name: "Me", schema: me },
      },
    })
    .query(async ({ ctx }) => ({
      actor: ctx.actor,
      permissions: permissionsOf(ctx.actor),
      twoFactor: await hasTwoFactor({ ctx: ctx.service }),
    })),
});
