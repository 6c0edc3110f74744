import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const OUTCOMES = ["succeeded", "failed"] as const;

/** What of the trail the page shows. */
export const auditSearchParams = {
  q: parseAsString.withDefault(""),
  action: parseAsString.withDefault(""),
  outcome: parseAsStringLiteral(OUTCOMES),
  targetType: parseAsString,
  targetId: parseAsString,
  actorId: parseAsString,
  id: parseAsString,
};

/** Address of the history of one thing. */
export function historyPath(targetType: string, targetId: string): string {
  return `/audit?${new URLSearchParams({ targetType, targetId })}`;
}
