import { parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsMoment } from "../../lib/parse-as-moment.ts";

export const RANGES = ["1m", "5m", "15m"] as const;

export type Range = (typeof RANGES)[number];

export const RANGE_SECONDS: Readonly<Record<Range, number>> = { "1m": 60, "5m": 300, "15m": 900 };

/** The time range that all charts share; null where the address has none, and the reader's own holds. */
export const rangeSearchParams = { range: parseAsStringLiteral(RANGES) };

/** How the page looks at a model; the model itself is in the path. */
export const modelSearchParams = {
  ...rangeSearchParams,
  version: parseAsString,
};

/** Ranges of the page of one model's latency; the long ones are read from the history. */
export const HISTORY_RANGES = ["1m", "5m", "15m", "1h", "6h", "24h", "7d", "30d"] as const;

export type HistoryRange = (typeof HISTORY_RANGES)[number];

const HOUR = 3_600;

export const HISTORY_RANGE_SECONDS: Readonly<Record<HistoryRange, number>> = {
  ...RANGE_SECONDS,
  "1h": HOUR,
  "6h": 6 * HOUR,
  "24h": 24 * HOUR,
  "7d": 7 * 24 * HOUR,
  "30d": 30 * 24 * HOUR,
};

/** The range of a page with charts where neither address nor reader has chosen. */
export const OWN_RANGE = "5m";

/** How the latency page looks at a model. `from` and `to`, Unix seconds, stand over `range`. */
export const latencySearchParams = {
  range: parseAsStringLiteral(HISTORY_RANGES),
  from: parseAsMoment,
  to: parseAsMoment,
  version: parseAsString,
  split: parseAsStringLiteral(["version", "node"]),
  compare: parseAsBoolean.withDefault(false),
  scale: parseAsStringLiteral(["linear", "log"]).withDefault("linear"),
};
