import { plainVersion } from "./plain-version.ts";

export type VersionDirectory =
  | { readonly kind: "version"; readonly version: bigint }
  | { readonly kind: "ignored"; readonly warn: boolean; readonly reason: string };

const SILENT = new Set(["warmup", "initial_state", "configs"]);

/**
 * Reads the name of a sub-directory of a model directory (model-config.md §8): an integer prefix is a version, a leading
 * zero or no number is ignored with a warning, and Triton's own directories are ignored silently.
 */
export function parseVersionDirectory(name: string): VersionDirectory {
  if (SILENT.has(name)) return { kind: "ignored", warn: false, reason: `${name} is not a version directory` };
  if (name.length > 1 && name.startsWith("0")) {
    const bare = name.replace(/^0+(?=.)/, "");
    return {
      kind: "ignored",
      warn: true,
      reason: `version directory '${name}' has a leading zero and is ignored; rename it to '${bare}'`,
    };
  }
  const version = plainVersion(/^[0-9]+/.exec(name)?.[0] ?? "");
  if (version === undefined) {
    return {
      kind: "ignored",
      warn: true,
      reason: `directory '${name}' is not a version and is ignored; name version directories 1, 2, 3, ...`,
    };
  }
  return { kind: "version", version: BigInt(version) };
}
