import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import { createFirstAdmin, firstAdminInput, type SetupContext } from "./create-first-admin.ts";
import { SETUP_TOKEN_KEY } from "./setup-keys.ts";
import { setupStatus } from "./setup-status.ts";
import { tokenMatches } from "./setup-token.ts";

export const redeemSetupTokenInput = firstAdminInput.extend({ token: z.string().min(1, "is missing").max(200) });

/** Creates the first administrator for whoever holds the one-time token. */
export async function redeemSetupToken(call: {
  ctx: Omit<SetupContext, "via">;
  input: z.input<typeof redeemSetupTokenInput>;
}): Promise<{ id: string }> {
  const { token, ...admin } = parseInput(redeemSetupTokenInput, call.input);
  if (!(await setupStatus(call)).needed) {
    throw new NereidError("CONFLICT", "the first administrator exists already", { fix: "sign in" });
  }
  const stored = await call.ctx.db.setting.findUnique({ where: { key: SETUP_TOKEN_KEY } });
  if (stored === null || !tokenMatches(token, stored.value)) {
    throw new NereidError("FORBIDDEN", "the setup token is not the current one", {
      fix: "open the link that the server printed at its last start",
    });
  }
  return createFirstAdmin({ ctx: { ...call.ctx, via: "setup token" }, input: admin });
}
