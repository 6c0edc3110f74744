import { redeemSetupToken, redeemSetupTokenInput, setupStatus } from "@nereid/services";
import { publicProcedure, router } from "../trpc.ts";

export const setupRouter = router({
  status: publicProcedure.query(({ ctx }) => setupStatus({ ctx: ctx.base })),
  redeem: publicProcedure
    .input(redeemSetupTokenInput)
    .mutation(({ ctx, input }) => redeemSetupToken({ ctx: { ...ctx.base, hashPassword: ctx.hashPassword }, input })),
});
