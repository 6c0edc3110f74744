import { FLAGS } from "./flag-table.ts";

const LONGEST = 64;

/** The option somebody probably meant; undefined when none is near. Underscores and case do not matter. */
export function closestFlag(name: string): string | undefined {
  const word = name.toLowerCase().replaceAll("_", "-");
  if (word.length < 2 || word.length > LONGEST) return undefined;
  const longer = Object.keys(FLAGS).find((candidate) => word.includes("-") && candidate.startsWith(word));
  if (longer !== undefined) return longer;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of Object.keys(FLAGS)) {
    const distance = distanceBetween(word, candidate);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Insertions, deletions and replacements that make one word the other. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= b.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (a[at - 1] === b[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
