import { formatModelConfig } from "@nereid/model-config";

/** The one change between two texts: what lies between their common beginning and end. Keeps cursor and undo small. */
export function smallestChange(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from: start, to: before.length - tail, insert: after.slice(start, after.length - tail) };
}

/** The change that lays a config out canonically; null when it is so already or cannot be read. */
export function formatChange(text: string): { from: number; to: number; insert: string } | null {
  return smallestChange(text, formatModelConfig(text));
}
