import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const PHASES = ["waiting", "running", "succeeded", "failed", "cancelled"] as const;

/** Which jobs a list shows. */
export const jobSearchParams = {
  q: parseAsString.withDefault(""),
  phase: parseAsStringLiteral(PHASES),
  model: parseAsString,
};
