import { NereidError } from "@nereid/errors";
import { PERF_FLAGS, type PerfFlag, type PerfFlagKey, REFUSED_FLAGS } from "./perf-flags.ts";

/** The values of the options that were given, in their order; options without a value have "" each time. */
export type FlagValues = ReadonlyMap<PerfFlagKey, readonly string[]>;

/** An option that cannot be meant: exit code 3. */
export function optionError(problem: string, fix = "see: nereid perf --help"): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix, details: { option: true } });
}

const KEYS = Object.keys(PERF_FLAGS) as PerfFlagKey[];

/** Splits a command line as getopt does: `--name value`, `--name=value`, `-n value`, `-nvalue`. INVALID_ARGUMENT with the fix. Pure. */
export function readFlags(args: readonly string[]): FlagValues {
  const values = new Map<PerfFlagKey, string[]>();
  for (let at = 0; at < args.length; at += 1) {
    const { name, attached } = split(args[at] ?? "");
    const key = keyOf(name);
    const flag: PerfFlag = PERF_FLAGS[key];
    const before = values.get(key) ?? [];
    if (before.length > 0 && flag.repeated !== true) throw optionError(`${name} is given twice`, "give it once");
    if (flag.value === undefined) {
      if (attached !== undefined) throw optionError(`${name} has no value`, `write only ${name}`);
      values.set(key, [...before, ""]);
      continue;
    }
    const value = attached ?? args[++at];
    if (value === undefined) throw optionError(`${name} needs a value`, `write ${name} ${flag.value}`);
    values.set(key, [...before, value]);
  }
  return values;
}

function split(word: string): { readonly name: string; readonly attached: string | undefined } {
  const equals = word.indexOf("=");
  if (word.startsWith("--")) {
    return equals === -1
      ? { name: word, attached: undefined }
      : { name: word.slice(0, equals), attached: word.slice(equals + 1) };
  }
  if (/^-[a-z]/i.test(word)) return { name: word.slice(0, 2), attached: word.length > 2 ? word.slice(2) : undefined };
  throw optionError(`'${word}' is no option`, "name the model with -m");
}

function keyOf(name: string): PerfFlagKey {
  const key = KEYS.find((one) => (PERF_FLAGS[one].names as readonly string[]).includes(name));
  if (key !== undefined) return key;
  const instead = REFUSED_FLAGS[name];
  if (instead !== undefined) throw optionError(`${name} is not supported`, instead);
  const near = KEYS.flatMap((one) => PERF_FLAGS[one].names).find((known) => isNear(known, name));
  throw optionError(`there is no option ${name}`, near === undefined ? undefined : `did you mean ${near}?`);
}

/** Whether one is the other's beginning, or has the same words in another order. */
function isNear(known: string, asked: string): boolean {
  if (asked.length > 4 && (known.startsWith(asked) || asked.startsWith(known))) return known.length > 2;
  const words = (name: string) => name.slice(2).split(/[-_]/).toSorted().join();
  return known.startsWith("--") && words(known) === words(asked);
}
