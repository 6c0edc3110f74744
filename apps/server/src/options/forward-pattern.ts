import { bad } from "./given-flags.ts";

/** Classes that RE2 names and JavaScript does not. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/**
 * `--http-header-forward-pattern` and its gRPC sibling (http.md §9): an RE2 expression that is searched in header names, without
 * regard to case unless it begins with `(?-i)`. Undefined for an empty one. INVALID_ARGUMENT for what cannot be read.
 */
export function parseForwardPattern(option: string, text: string | undefined): RegExp | undefined {
  if (text === undefined || text === "") return undefined;
  const leading = /^\(\?([imsU]*)(?:-([imsU]+))?\)/.exec(text);
  const [whole = "", on = "", off = ""] = leading ?? [];
  const flags = new Set(["i", ...on]);
  for (const flag of off) flags.delete(flag);
  if (flags.has("U"))
    throw bad(option, `the flag U (ungreedy) of "${text}" has no meaning for header names; leave it out`);
  try {
    return new RegExp(toJavaScript(text.slice(whole.length)), [...flags].join(""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw bad(option, `expected a regular expression such as "^x-.*", got "${text}" (${why})`);
  }
}

/** What RE2 writes otherwise: anchors, named groups, quoted text and POSIX classes. */
function toJavaScript(text: string): string {
  return text
    .replace(/\\Q([\s\S]*?)(?:\\E|$)/g, (_, quoted: string) => quoted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .replace(/\\A/g, "^")
    .replace(/\\z/g, "$")
    .replace(/\(\?P</g, "(?<")
    .replace(/\[:(\w+):\]/g, (found, name: string) => POSIX[name] ?? found);
}
