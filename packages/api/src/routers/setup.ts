import { redeemSetupToken, redeemSetupTokenInput, setupStatus } from "@nereid/services";
import { createdUser, setupState } from "../rest/account-schemas.ts";
import { publicProcedure, router } from "../trpc.ts";

export const setupRouter = router({
  status: publicProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/setup",
        summary: "Whether the first administrator is still to be created",
        permission: "public",
        output: { name: "SetupState", schema: setupState },
      },
    })
    .query(({ ctx }) => setupStatus({ ctx: ctx.base })),
  redeem: publicProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/setup",
        summary: "Create the first administrator with the setup token",
        permission: "public",
        output: { name: "CreatedUser", schema: createdUser },
      },
    })
    .input(redeemSetupTokenInput)
    .mutation(async ({ ctx, input }) => {
      const admin = await redeemSetupToken({ ctx: { ...ctx.base, hashPassword: ctx.hashPassword }, input });
      ctx.onSetupDone();
      return admin;
    }),
});
