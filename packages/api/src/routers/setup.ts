import { redeemSetupToken, redeemSetupTokenInput, setupStatus } from "@nereid/services";
import { publicProcedure, router } from "../trpc.ts";

export const setupRouter = router({
  status: publicProcedure.query(({ ctx }) => setupStatus({ ctx: ctx.base })),
  redeem: publicProcedure.input(redeemSetupTokenInput).mutation(async ({ ctx, input }) => {
    const admin = await redeemSetupToken({ ctx: { ...ctx.base, hashPassword: ctx.hashPassword }, input });
    ctx.onSetupDone();
    return admin;
  }),
});
