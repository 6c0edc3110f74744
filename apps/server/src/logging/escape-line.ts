/**
 * Characters that JSON leaves as they are and terminals and log viewers act on: delete and the C1 controls, line and paragraph
 * separators, and what changes the direction of text.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A line of JSON with such characters as `\uXXXX`; they only ever stand inside strings, so its meaning stays the same. */
export function escapeLine(line: string): string {
  return line.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
