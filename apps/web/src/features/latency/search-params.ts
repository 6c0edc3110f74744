import { parseAsString, parseAsStringLiteral } from "nuqs";

export const RANGES = ["1m", "5m", "15m"] as const;

export type Range = (typeof RANGES)[number];

export const RANGE_SECONDS: Readonly<Record<Range, number>> = { "1m": 60, "5m": 300, "15m": 900 };

/** How the page looks at a model; the model itself is in the path. */
export const modelSearchParams = {
  range: parseAsStringLiteral(RANGES).withDefault("5m"),
  version: parseAsString,
};
