import { optionError, readFlags } from "./read-flags.ts";

/** The scenario to run; undefined = the command measures by its own options. INVALID_ARGUMENT where both are given. Pure. */
export function parseCheckArgs(
  args: readonly string[],
): { readonly file: string; readonly junit: string | undefined } | undefined {
  const flags = readFlags(args);
  const file = flags.get("check")?.at(-1);
  if (file === undefined) return undefined;
  const other = [...flags.keys()].find((key) => key !== "check" && key !== "junit");
  if (other !== undefined)
    throw optionError("--check takes no other option but --junit", "write the others into the scenario, under options");
  return { file, junit: flags.get("junit")?.at(-1) };
}
