import { PERF_FLAGS, type PerfFlag } from "./perf-flags.ts";

const WIDTH = 52;

/** `nereid perf --help`. */
export const PERF_HELP = `nereid perf -m MODEL [options]
nereid perf --check scenario.yaml [--junit FILE]

  puts load on a model of any V2 server and measures it, with perf_analyzer's options and report; ends with 0, 2 when the
  figures were not stable, 3 for a wrong option, 99 for anything else; --check ends with 0 or 1

${Object.values(PERF_FLAGS).map(line).join("\n")}
`;

function line({ names, value, help }: PerfFlag): string {
  const left = `  ${names.join(", ")}${value === undefined ? "" : ` ${value}`}`;
  return left.length < WIDTH ? `${left.padEnd(WIDTH)}${help}` : `${left}\n${" ".repeat(WIDTH)}${help}`;
}
