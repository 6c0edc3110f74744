import { type ChildProcess, spawn } from "node:child_process";
import { ENTRY } from "../../testing/product.ts";

export interface PerfEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built `nereid perf` to its end; `onLine` is told each line of the report with the process. */
export function runPerfCli(
  args: readonly string[],
  onLine?: (line: string, child: ChildProcess) => void,
): Promise<PerfEnd> {
  const child = spawn(process.execPath, [ENTRY, "perf", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const line of text.split("\n")) onLine?.(line, child);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

/** Rows of a CSV by the titles of its columns. */
export function csvRows(text: string): Record<string, number>[] {
  const [head = "", ...lines] = text.trim().split("\n");
  const titles = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(titles.map((title, at) => [title, Number(cells[at])]));
  });
}
