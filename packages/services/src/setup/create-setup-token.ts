import type { BaseContext } from "../context.ts";
import { SETUP_TOKEN_KEY } from "./setup-keys.ts";
import { setupStatus } from "./setup-status.ts";
import { generateToken, hashToken, tokenMatches } from "./setup-token.ts";

export interface CreateSetupTokenInput {
  /** Token that an earlier start handed out, if it is still known. */
  readonly existing?: string | undefined;
}

/**
 * The token with which the first administrator may be created; undefined once there is one. A token that an earlier start
 * handed out stays good, so a restart does not break the link that someone has copied.
 */
export async function createSetupToken(call: {
  ctx: Pick<BaseContext, "db">;
  input: CreateSetupTokenInput;
}): Promise<string | undefined> {
  const { ctx, input } = call;
  if (!(await setupStatus({ ctx })).needed) return undefined;
  const stored = await ctx.db.setting.findUnique({ where: { key: SETUP_TOKEN_KEY } });
  if (stored !== null && input.existing !== undefined && tokenMatches(input.existing, stored.value)) {
    return input.existing;
  }
  const token = generateToken();
  const value = hashToken(token);
  await ctx.db.setting.upsert({
    where: { key: SETUP_TOKEN_KEY },
    create: { key: SETUP_TOKEN_KEY, value },
    update: { value },
  });
  return token;
}
