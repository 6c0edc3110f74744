import { parseAsFloat, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsMoment } from "../../lib/parse-as-moment.ts";

/** Which of a model's remembered requests are listed, and which one is open (`#serial`). */
export const requestsSearchParams = {
  from: parseAsMoment,
  to: parseAsMoment,
  slowerMs: parseAsFloat,
  fasterMs: parseAsFloat,
  cause: parseAsStringLiteral(["sampled", "slow", "failed"]),
  order: parseAsStringLiteral(["slowest", "newest"]).withDefault("slowest"),
  version: parseAsString,
  row: parseAsInteger,
};
