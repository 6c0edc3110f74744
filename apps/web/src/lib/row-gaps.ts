/** Where a row stands, pixels from the top of all rows. */
export interface PlacedRow {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

export interface GappedRow {
  readonly index: number;
  /** Empty space before it, which stands for rows that are not drawn. */
  readonly gap: number;
}

/** The rows that are drawn with the space between them, and the space after the last. */
export function rowGaps(rows: readonly PlacedRow[], height: number): { rows: readonly GappedRow[]; after: number } {
  const gapped = rows.map(({ index, start }, place) => ({
    index,
    gap: Math.max(0, start - (rows[place - 1]?.end ?? 0)),
  }));
  return { rows: gapped, after: Math.max(0, height - (rows.at(-1)?.end ?? 0)) };
}

/** The indices with one more, ascending: a row with the focus stays drawn wherever the page is scrolled to. */
export function withKept(indices: readonly number[], kept: number | null, count: number): number[] {
  if (kept === null || kept >= count || indices.includes(kept)) return [...indices];
  return [...indices, kept].sort((a, b) => a - b);
}
