import type { AnalyzeCommand } from "./analyze-command.ts";
import { settingError } from "./read-settings.ts";

/** Options that a tuning sets itself. */
const OWN = new Set([
  "model-name",
  "m",
  "batch-size",
  "b",
  "concurrency-range",
  "request-rate-range",
  "measurement-interval",
  "p",
  "measurement-mode",
  "url",
  "u",
  "protocol",
  "i",
  "latency-report-file",
  "f",
]);

/** How requests are sent, as options of `nereid perf`: the address, and `perf_analyzer_flags` (a map of long names). Pure. */
export function perfArguments(
  { protocol, server, grpc }: Pick<AnalyzeCommand, "protocol" | "server" | "grpc">,
  flags: unknown,
): string[] {
  const { host } = new URL(server);
  const args = ["-i", protocol, "-u", protocol === "grpc" ? grpc : host];
  if (flags === undefined || flags === null) return args;
  if (typeof flags !== "object" || Array.isArray(flags))
    throw settingError("perf_analyzer_flags is no map", "write long names without dashes, as in shape: INPUT:16");
  for (const [name, value] of Object.entries(flags)) {
    if (OWN.has(name)) throw settingError(`perf_analyzer_flags.${name} is set by the tuning`, "leave it out");
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === false) continue;
      args.push(`--${name.replaceAll("_", "-")}`);
      if (one !== true && one !== null) args.push(String(one));
    }
  }
  return args;
}
