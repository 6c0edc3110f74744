import { parseAsArrayOf, parseAsString } from "nuqs";

/** Which versions are chosen for comparison; two of them are compared. */
export const versionsSearchParams = { compare: parseAsArrayOf(parseAsString).withDefault([]) };

/** The choice after a click on a version: at most two, the oldest click gives way. */
export function toggled(chosen: readonly string[], version: string): string[] {
  if (chosen.includes(version)) return chosen.filter((one) => one !== version);
  return [...chosen, version].slice(-2);
}
