import { z } from "zod";
import { type Actor, accountOfActor } from "../access/actor.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";

/** Ranges of the pages that show a time; a page that has not the chosen one takes the nearest of its own. */
export const PREFERRED_RANGES = ["1m", "5m", "15m", "1h", "6h", "24h", "7d", "30d"] as const;

/** How somebody likes to look at things. */
export const preferences = z.object({
  density: z.enum(["comfortable", "compact"]).default("comfortable"),
  /** `browser`, `UTC`, or a zone of the IANA database. */
  timeZone: z
    .string()
    .max(64)
    .refine(
      (zone) => zone === "browser" || isTimeZone(zone),
      "is no time zone: give browser, UTC or one as Europe/Paris",
    )
    .default("browser"),
  /** Where an address has no range; null = each page's own. */
  range: z.enum(PREFERRED_RANGES).nullable().default(null),
  /** Whether single keys do something. */
  shortcuts: z.boolean().default(true),
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

/** Keeps the caller's own; what is not given gets its default. */
export async function savePreferences({ ctx, input }: Call<z.input<typeof preferences>>): Promise<Preferences> {
  const value = parseInput(preferences, input);
  const place = { userId: ownerOf(ctx.actor), key: KEY };
  await ctx.db.preference.upsert({ where: { userId_key: place }, create: { ...place, value }, update: { value } });
  return value;
}

/** The account whose preferences the caller has. The product itself has no account, and prefers nothing. */
export function ownerOf(actor: Actor): string {
  return accountOfActor(actor) ?? "";
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
