import { parseAsFloat, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** Which of a model's remembered requests are listed, and which one is open (`#serial`). */
export const requestsSearchParams = {
  from: parseAsFloat,
  to: parseAsFloat,
  slowerMs: parseAsFloat,
  fasterMs: parseAsFloat,
  cause: parseAsStringLiteral(["sampled", "slow", "failed"]),
  order: parseAsStringLiteral(["slowest", "newest"]).withDefault("slowest"),
  version: parseAsString,
  row: parseAsInteger,
};
