import { NereidError } from "@nereid/errors";

/** What a query adds to its conditions and its order, which must end with the id. */
export type PagePlace = { readonly take: number } | { readonly take: number; readonly cursor: { readonly id: string } };

export interface PageQuery<Row> {
  /** The last row of the page before; undefined = from the beginning. */
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly find: (place: PagePlace) => Promise<readonly Row[]>;
  /** Whether the row that the cursor names is there. */
  readonly exists: (id: string) => Promise<boolean>;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** The rows after a cursor, and what the next page goes on from. INVALID_ARGUMENT for a cursor that names nothing. */
export async function readPage<Row extends { readonly id: string }>(query: PageQuery<Row>): Promise<Page<Row>> {
  const { cursor, limit, find, exists } = query;
  // The cursor's own row is left out here and not skipped there: it may no longer be among what is asked for, and then the next one was skipped.
  const found = await find(cursor === undefined ? { take: limit + 1 } : { cursor: { id: cursor }, take: limit + 2 });
  // A database answers alike where the pages are over and where the cursor names nothing.
  if (cursor !== undefined && found.length === 0 && !(await exists(cursor)))
    throw new NereidError("INVALID_ARGUMENT", "cursor: there is nothing by this name, or no longer", {
      fix: "use the nextCursor of a page, or begin again without one",
    });
  const after = found.filter(({ id }) => id !== cursor);
  const rows = after.slice(0, limit);
  return { rows, nextCursor: after.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
