import type { LogLine } from "@nereid/client";

export interface TextPart {
  readonly text: string;
  readonly hit: boolean;
  /** Where it begins. */
  readonly at: number;
}

/** A text cut at everything that was searched for, whatever the case. */
export function splitMatches(text: string, q: string): TextPart[] {
  if (q === "") return [{ text, hit: false, at: 0 }];
  const parts: TextPart[] = [];
  const lower = text.toLowerCase();
  // Few characters change their length with their case; where one does, places would be wrong.
  if (lower.length !== text.length) return [{ text, hit: false, at: 0 }];
  const wanted = q.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), hit: false, at: from });
    parts.push({ text: text.slice(at, at + wanted.length), hit: true, at });
    from = at + wanted.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), hit: false, at: from });
  return parts;
}

/** Lines as a text file, times in UTC. */
export function logFile(lines: readonly LogLine[]): string {
  return lines
    .map(({ atMs, level, source, version, instance, requestId, text }) =>
      [
        new Date(atMs).toISOString(),
        level.toUpperCase().padEnd(5),
        source.padEnd(7),
        version === "" ? "-" : `v${version}`,
        instance === "" ? "-" : instance,
        ...(requestId === "" ? [] : [`id=${requestId}`]),
        text,
      ].join(" "),
    )
    .map((line) => `${line}\n`)
    .join("");
}
