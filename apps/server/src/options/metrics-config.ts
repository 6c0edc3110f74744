import { bad, type GivenFlags } from "./given-flags.ts";

/** A quantile and the error it may have, as `0.99:0.001`. */
export interface Quantile {
  readonly quantile: number;
  readonly error: number;
}

/** `--metrics-config` (metrics.md §1), and what else the metrics report of the command line. */
export interface MetricsConfig {
  readonly counterLatencies: boolean;
  readonly summaryLatencies: boolean;
  readonly histogramLatencies: boolean;
  readonly summaryQuantiles: readonly Quantile[];
  /** `<name>,<key>=<value>`: settings by key under their name. They are kept; no metric reads them. */
  readonly named: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** `--pinned-memory-pool-byte-size`. */
  readonly pinnedPoolBytes: number;
  /** What was passed over, to be said at start. */
  readonly problems: readonly string[];
}

export const DEFAULT_QUANTILES: readonly Quantile[] = [
  { quantile: 0.5, error: 0.05 },
  { quantile: 0.9, error: 0.01 },
  { quantile: 0.95, error: 0.001 },
  { quantile: 0.99, error: 0.001 },
  { quantile: 0.999, error: 0.001 },
];

const DEFAULT_PINNED_POOL = 268_435_456;
const KEYS = ["counter_latencies", "summary_latencies", "histogram_latencies", "summary_quantiles"];

/**
 * The `--metrics-config` options. Only the exact texts `false` and `true` have an effect, as in Triton. INVALID_ARGUMENT for one
 * without a value; quantiles that are none are passed over and named in `problems`.
 */
export function parseMetricsConfig(given: GivenFlags): MetricsConfig {
  const global = new Map<string, string>();
  const named = new Map<string, Map<string, string>>();
  const problems: string[] = [];
  for (const text of given.all("metrics-config")) {
    const { name, key, value } = split(text);
    if (name === undefined) {
      global.set(key, value);
      if (!KEYS.includes(key)) problems.push(`metrics-config: '${key}' is no setting; there are ${KEYS.join(", ")}`);
    } else {
      const settings = named.get(name) ?? new Map<string, string>();
      named.set(name, settings.set(key, value));
    }
  }
  return {
    counterLatencies: global.get("counter_latencies") !== "false",
    summaryLatencies: global.get("summary_latencies") === "true",
    histogramLatencies: global.get("histogram_latencies") === "true",
    summaryQuantiles: quantiles(global.get("summary_quantiles"), problems),
    named,
    pinnedPoolBytes: given.whole("pinned-memory-pool-byte-size") ?? DEFAULT_PINNED_POOL,
    problems,
  };
}

/** `<key>=<value>` or `<name>,<key>=<value>`; a comma behind the equals sign belongs to the value. */
function split(text: string): { readonly name: string | undefined; readonly key: string; readonly value: string } {
  const match = /^(?:([^,=]+),)?([^,=]+)=([\s\S]+)$/.exec(text);
  if (match === null) throw bad("metrics-config", `expected <key>=<value> or <name>,<key>=<value>, got "${text}"`);
  const [, name, key = "", value = ""] = match;
  return { name, key, value };
}

function quantiles(text: string | undefined, problems: string[]): readonly Quantile[] {
  if (text === undefined) return DEFAULT_QUANTILES;
  const found = new Map<number, Quantile>();
  for (const pair of text.split(",")) {
    const match = /^\s*(\d*\.?\d+)\s*:\s*(\d*\.?\d+)\s*$/.exec(pair);
    const quantile = Number(match?.[1]);
    const error = Number(match?.[2]);
    if (match === null || quantile > 1 || error > 1)
      problems.push(
        `metrics-config: "${pair}" of summary_quantiles is passed over; expected <quantile>:<error> of 0 to 1`,
      );
    else found.set(quantile, { quantile, error });
  }
  return found.size === 0 ? DEFAULT_QUANTILES : [...found.values()].sort((a, b) => a.quantile - b.quantile);
}
