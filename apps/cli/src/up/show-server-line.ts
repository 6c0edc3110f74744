import { plainText } from "../plain-text.ts";

const SHOWN = new Set(["warn", "error", "fatal"]);

/** What of the server's log belongs on the console: warnings, errors and lines that are no log lines. */
export function showServerLine(line: string): string | undefined {
  if (!line.startsWith("{")) return line.trim() === "" ? undefined : plainText(line);
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return plainText(line);
  }
  if (entry === null || typeof entry !== "object" || !("level" in entry) || !SHOWN.has(String(entry.level)))
    return undefined;
  const { level, time: _time, msg, ...rest } = entry as Record<string, unknown>;
  const details = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return plainText(`server ${String(level)}: ${String(msg ?? "")} ${details.join(" ")}`.trimEnd());
}
