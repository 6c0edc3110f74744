import type { BaseContext } from "../context.ts";

/** Whether the first administrator is still to be created. */
export async function setupStatus({ ctx }: { ctx: Pick<BaseContext, "db"> }): Promise<{ needed: boolean }> {
  return { needed: (await ctx.db.user.count()) === 0 };
}
