import { ANALYZE_KEYS, type AnalyzeKey } from "./analyze-keys.ts";

const entries: readonly (readonly [string, AnalyzeKey])[] = Object.entries(ANALYZE_KEYS);
const optionOf = ([name, key]: (typeof entries)[number]) =>
  `${key.short === undefined ? "" : `${key.short}, `}--${name.replaceAll("_", "-")}${key.kind === "flag" ? "" : " VALUE"}`;
const shown = entries.filter(([, key]) => key.fileOnly !== true);
const width = Math.max(...shown.map((entry) => optionOf(entry).length));

/** What `nereid analyze --help` says. */
export const ANALYZE_HELP = `nereid analyze profile -n MODEL[,MODEL…] [options]
nereid analyze report [options]

  finds the configuration and the load at which a model answers most, or most in time, while what it serves stays as it is: each
  configuration is tried on a runner of its own. 'report' writes the reports of the last run again. Settings may stand in a
  file of YAML, named as Model Analyzer names them (see docs/tuning.md); what is given here counts before it.

  ${"-f, --config-file FILE".padEnd(width)}  settings of YAML
${shown.map((entry) => `  ${optionOf(entry).padEnd(width)}  ${entry[1].help}`).join("\n")}

  exit codes: 0 done, 1 stopped (saved), 2 nothing keeps the limits, 3 a setting is wrong, 99 anything else
`;
