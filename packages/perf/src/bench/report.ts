/** One line of the table. */
export interface BenchRow {
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
  /** undefined: printed for information, no bar. */
  readonly held: boolean | undefined;
  readonly values: Readonly<Record<string, number>>;
}

/** The table for people: what, measured, bar, and whether the bar was held. */
export function renderTable(rows: readonly BenchRow[]): string {
  const cells = rows.map(({ what, measured, bar, held }) => [
    what,
    measured,
    bar,
    held === undefined ? "" : held ? "held" : "MISSED",
  ]);
  const head = ["what", "measured", "bar", ""];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
