export type CsvCell = string | number | boolean | null | undefined;

/** Rows as comma-separated values (RFC 4180); what is not known is empty. A text that a spreadsheet would take for a formula is kept from being one. Pure. */
export function csvTable(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: CsvCell): string {
  const text = String(value ?? "");
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
