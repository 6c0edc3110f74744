import { NereidError } from "@nereid/errors";

export interface CursorPage {
  readonly cursor: string | undefined;
  /** Rows that were found after it. */
  readonly found: number;
  /** Whether the row that the cursor names is there. */
  readonly exists: (id: string) => Promise<boolean>;
}

/** Tells a page that is over from one whose cursor names nothing, which a database answers alike. INVALID_ARGUMENT for the latter. */
export async function refuseUnknownCursor({ cursor, found, exists }: CursorPage): Promise<void> {
  if (cursor === undefined || found > 0 || (await exists(cursor))) return;
  throw new NereidError("INVALID_ARGUMENT", "cursor: there is nothing by this name, or no longer", {
    fix: "use the nextCursor of a page, or begin again without one",
  });
}
