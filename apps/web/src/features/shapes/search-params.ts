import { parseAsString, parseAsStringLiteral } from "nuqs";

export const ORDERS = ["count", "p99", "first"] as const;

/** Which shapes are shown, in which order, and of which one the requests are open. */
export const shapesSearchParams = {
  version: parseAsString,
  order: parseAsStringLiteral(ORDERS).withDefault("count"),
  requests: parseAsString,
};
