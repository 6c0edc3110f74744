export interface Column {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly numeric?: boolean;
}

/** Rows under their titles, each column as wide as its widest cell, two spaces between them. Pure. */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    columns
      .map(({ numeric = false }, i) => {
        const [cell = "", width = 0] = [cells[i], widths[i]];
        return numeric ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [columns.map(({ title }) => title), ...rows].map(lineOf);
}
