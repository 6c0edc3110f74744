import { NereidError } from "@nereid/errors";
import { parse } from "yaml";
import { ANALYZE_KEYS, type AnalyzeKey, type AnalyzeKeyName, NOT_SUPPORTED, WITHOUT_MEANING } from "./analyze-keys.ts";

/** Values as they were written, by key. */
export interface Settings {
  readonly values: ReadonlyMap<AnalyzeKeyName, unknown>;
  /** What was passed over, and why. */
  readonly warnings: readonly string[];
}

const KEYS = new Map<string, AnalyzeKey>(Object.entries(ANALYZE_KEYS));

/** A setting that cannot be meant: exit code 3. */
export function settingError(problem: string, fix = "see: nereid analyze --help"): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix, details: { option: true } });
}

/** Splits options as getopt does; `-f FILE` answers apart. INVALID_ARGUMENT with the fix. Pure. */
export function readOptions(args: readonly string[]): Settings & { readonly file: string | undefined } {
  const values = new Map<AnalyzeKeyName, unknown>();
  const warnings: string[] = [];
  let file: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals === -1 ? word : word.slice(0, equals);
    const attached = equals === -1 ? undefined : word.slice(equals + 1);
    const wordOf = () => {
      const value = attached ?? args[++at];
      if (value === undefined) throw settingError(`${name} needs a value`, `write ${name} VALUE`);
      return value;
    };
    if (name === "-f" || name === "--config-file") {
      file = wordOf();
      continue;
    }
    const key = keyOfOption(name);
    const known = KEYS.get(key);
    if (known === undefined || known.fileOnly === true) {
      const why = WITHOUT_MEANING[key];
      if (why === undefined) throw unknownKey(key, name, known);
      warnings.push(`${name} is passed over: ${why}`);
      if (attached === undefined && !(args[at + 1] ?? "-").startsWith("-")) at += 1;
      continue;
    }
    // It is a key: KEYS was made from them.
    values.set(key as AnalyzeKeyName, known.kind === "flag" ? attached !== "false" : wordOf());
  }
  return { values, warnings, file };
}

/** Settings of a file of YAML. INVALID_ARGUMENT that names the file and the key. Pure. */
export function readFileSettings(text: string, file: string): Settings {
  let document: unknown;
  try {
    document = parse(text);
  } catch (cause) {
    throw settingError(
      `${file} is no YAML: ${cause instanceof Error ? cause.message.split("\n")[0] : String(cause)}`,
      "see docs/tuning.md for an example",
    );
  }
  if (document === null) return { values: new Map(), warnings: [] };
  if (typeof document !== "object" || Array.isArray(document))
    throw settingError(`${file} has no settings`, "write KEY: VALUE lines; see docs/tuning.md");
  return knownSettings(Object.entries(document), file);
}

/** Settings among these entries; what means nothing here is a warning, what is not known an error. Pure. */
export function knownSettings(entries: readonly (readonly [string, unknown])[], where: string): Settings {
  const values = new Map<AnalyzeKeyName, unknown>();
  const warnings: string[] = [];
  for (const [key, value] of entries) {
    const why = WITHOUT_MEANING[key];
    if (why !== undefined) warnings.push(`${where}: ${key} is passed over: ${why}`);
    else if (KEYS.has(key)) values.set(key as AnalyzeKeyName, value);
    else throw unknownKey(key, `${where}: ${key}`, undefined);
  }
  return { values, warnings };
}

function keyOfOption(name: string): string {
  if (!name.startsWith("-"))
    throw settingError(`'${name}' is no option`, "options begin with --, as in --profile-models mnist");
  const short = [...KEYS].find(([, key]) => key.short === name)?.[0];
  return short ?? name.replace(/^--/, "").replaceAll("-", "_");
}

function unknownKey(key: string, where: string, known: AnalyzeKey | undefined): NereidError {
  if (known?.fileOnly === true)
    return settingError(`${where} stands in the file only`, "write it there, and name the file with -f");
  const instead = NOT_SUPPORTED[key];
  if (instead !== undefined) return settingError(`${where} is not supported`, instead);
  const near = [...KEYS.keys()].find((one) => isNear(one, key));
  return settingError(`${where} is not known`, near === undefined ? undefined : `did you mean ${near}?`);
}

function isNear(known: string, asked: string): boolean {
  if (asked.length > 4 && (known.includes(asked) || asked.includes(known))) return true;
  return distance(known, asked) <= 2;
}

/** Letters to change, add or remove (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
