import type { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { parseInput } from "../parse-input.ts";
import { type ConfigAppliedWithHistory, putConfig } from "./apply-config.ts";
import { ifDigest } from "./config-text.ts";
import { configEntryInput, findEntry } from "./list-history.ts";

export const restoreConfigInput = configEntryInput.extend({ ifDigest, reason });

/** Applies the text of an earlier entry again; it becomes a new entry. Fails as applying does. */
export async function restoreConfig({
  ctx,
  input,
}: Call<z.input<typeof restoreConfigInput>>): Promise<ConfigAppliedWithHistory> {
  const { name, id, ifDigest, reason } = parseInput(restoreConfigInput, input);
  const action = "config.restore";
  await authoriseChange(ctx, "model.configure", { action, targetType: "model", targetId: name });
  const { text } = await findEntry(ctx, { name, id });
  return putConfig(ctx, { name, text, ifDigest, reason, action, source: "restore", restoredFrom: id });
}
