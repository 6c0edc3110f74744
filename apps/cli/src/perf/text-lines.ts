import { type LoadWindow, textFigures } from "@nereid/perf";
import { textTable } from "../text-table.ts";
import type { PerfCommand } from "./perf-command.ts";

const COLUMNS = ["avg", "min", "max", "p99", "p90", "p75"] as const;

/** The metrics of generated texts as a table, as GenAI-Perf shows them. Pure. */
export function textLines(window: LoadWindow, { streaming, goodput }: PerfCommand): string[] {
  const rows = textFigures(window, { streaming, goodput }).map(({ name, avg, spread }) => [
    name,
    avg.toFixed(2),
    ...(["min", "max", "p99", "p90", "p75"] as const).map((key) => spread?.[key].toFixed(2) ?? "N/A"),
  ]);
  const columns = [{ title: "Statistic" }, ...COLUMNS.map((title) => ({ title, numeric: true }))];
  return textTable(columns, rows).map((line) => `  ${line}`);
}
