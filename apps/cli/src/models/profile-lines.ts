import type { ModelProfile } from "@nereid/client";
import { textTable } from "../text-table.ts";

/** A profile for people: what ran, and its time by operator. Pure. */
export function profileLines({ model, version, seconds, runs, totalUs, operators, note }: ModelProfile): string[] {
  const head = `${model}/${version}: ${runs} ${runs === 1 ? "execution" : "executions"} in ${seconds} s`;
  if (note !== undefined) return [head, `note: ${note}`];
  const all = operators.reduce((sum, { totalUs: us }) => sum + us, 0);
  const rows = operators.map(({ operator, provider, calls, totalUs: us }) => [
    operator,
    provider.replace(/ExecutionProvider$/, ""),
    String(calls),
    milliseconds(us),
    milliseconds(us / Math.max(1, runs)),
    `${((100 * us) / Math.max(1, all)).toFixed(1)} %`,
  ]);
  const columns = [
    { title: "operator" },
    { title: "runs on" },
    { title: "calls", numeric: true },
    { title: "total ms", numeric: true },
    { title: "ms an execution", numeric: true },
    { title: "share", numeric: true },
  ];
  const mean = milliseconds(totalUs / Math.max(1, runs));
  return [`${head}, ${mean} ms each as a whole`, ...textTable(columns, rows)];
}

function milliseconds(us: number): string {
  return (us / 1000).toFixed(3);
}
