import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const RANGES = ["1m", "5m", "15m"] as const;

export type Range = (typeof RANGES)[number];

export const RANGE_SECONDS: Readonly<Record<Range, number>> = { "1m": 60, "5m": 300, "15m": 900 };

/** The time range that all charts share. */
export const rangeSearchParams = { range: parseAsStringLiteral(RANGES).withDefault("5m") };

/** Seconds of a range as it stands in an address; of the default one for anything else. */
export function rangeSeconds(range: unknown): number {
  return RANGE_SECONDS[RANGES.find((known) => known === range) ?? "5m"];
}

/** How the page looks at a model; the model itself is in the path. */
export const modelSearchParams = {
  ...rangeSearchParams,
  version: parseAsString,
};
