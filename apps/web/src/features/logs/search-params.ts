import { parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs";

export const LEVELS = ["debug", "info", "warn", "error"] as const;
export const SINCES = ["all", "5m", "15m", "1h"] as const;

export type Since = (typeof SINCES)[number];

/** Milliseconds of a choice; undefined = everything that is remembered. */
export const SINCE_MS: Readonly<Record<Since, number | undefined>> = {
  all: undefined,
  "5m": 300_000,
  "15m": 900_000,
  "1h": 3_600_000,
};

/** Which lines are shown, and how. */
export const logsSearchParams = {
  level: parseAsStringLiteral(LEVELS).withDefault("info"),
  q: parseAsString.withDefault(""),
  version: parseAsString,
  instance: parseAsString,
  since: parseAsStringLiteral(SINCES).withDefault("all"),
  wrap: parseAsBoolean.withDefault(true),
  follow: parseAsBoolean.withDefault(true),
};
