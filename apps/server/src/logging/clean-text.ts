/** Longest text of a line that is kept, in characters. */
const LONGEST = 2_000;

/** What gives secrets away by how it looks, and what stands for it. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, "$1 ***"],
  [/\bnrd_[\w-]{6,}/g, "nrd_***"],
  [/\b(?:hf|ghp|gho|glpat|xox[abp])[_-][\w-]{10,}/g, "***"],
  [/\bsk-[\w-]{16,}/g, "sk-***"],
  [/\bAKIA[0-9A-Z]{12,}/g, "AKIA***"],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, "***"],
  [/(\/\/[^\s/:@]+):[^\s/@]+@/g, "$1:***@"],
  [
    /((?:password|passwd|secret|token|api[-_]?key|access[-_]?key|credentials?)["']?\s*[:=]\s*["']?)[^\s"',;&]{3,}/gi,
    "$1***",
  ],
];

/** Controls, and what changes how the text around it is shown. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;

/**
 * A line that may be shown to people: without colours and secrets, cut, and with control characters as `\xNN` or `\uNNNN`. Tabs
 * become spaces.
 */
export function cleanText(text: string): string {
  let clean = text
    .slice(0, 2 * LONGEST)
    .replace(COLOURS, "")
    .replaceAll("\t", "  ")
    .trimEnd();
  for (const [secret, instead] of SECRETS) clean = clean.replace(secret, instead);
  clean = clean.replace(UNSAFE, escaped);
  return clean.length <= LONGEST ? clean : `${clean.slice(0, LONGEST)}…`;
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
