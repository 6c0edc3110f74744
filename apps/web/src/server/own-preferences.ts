import { getPreferences, type Preferences } from "@nereid/services";
import { cache } from "react";
import { getRuntime } from "./runtime.ts";
import { requireActor } from "./session.ts";

/** What the reader of the page being rendered has chosen. */
export const ownPreferences = cache(
  async (): Promise<Preferences> => getPreferences({ ctx: { actor: await requireActor(), db: getRuntime().db } }),
);
