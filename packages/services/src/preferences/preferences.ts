import { z } from "zod";
import { type Actor, accountOfActor } from "../access/actor.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";

/** How somebody likes to look at things. */
export const preferences = z.object({
  density: z.enum(["comfortable", "compact"]).default("comfortable"),
});

export type Preferences = z.output<typeof preferences>;

const KEY = "appearance";

/** The caller's own, a key's those of its owner; the defaults for who has chosen nothing. */
export async function getPreferences({
  ctx,
}: {
  readonly ctx: Pick<Call["ctx"], "actor" | "db">;
}): Promise<Preferences> {
  const { actor, db } = ctx;
  const row = await db.preference.findUnique({ where: { userId_key: { userId: ownerOf(actor), key: KEY } } });
  const read = preferences.safeParse(row?.value ?? {});
  // What an older release has written may not fit any more.
  return read.success ? read.data : preferences.parse({});
}

/** Keeps the caller's own. */
export async function savePreferences({ ctx, input }: Call<z.input<typeof preferences>>): Promise<Preferences> {
  const value = parseInput(preferences, input);
  const place = { userId: ownerOf(ctx.actor), key: KEY };
  await ctx.db.preference.upsert({ where: { userId_key: place }, create: { ...place, value }, update: { value } });
  return value;
}

/** The product itself has no account, and prefers nothing. */
function ownerOf(actor: Actor): string {
  return accountOfActor(actor) ?? "";
}
