import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { NereidError } from "@nereid/errors";

/** The package that holds llama.cpp, and the version this runner was written and tested with. */
export const LLAMA_PACKAGE = "node-llama-cpp";
const LLAMA_VERSION = "3.22.1";

/** Where to look for the package. */
export interface ModuleSearch {
  /** A file of this program: `node_modules` beside it and above it, and NODE_PATH, are searched as Node does. */
  readonly from: string;
  /** Named by the operator: a directory with `node_modules`, or the package itself. Looked at first, and then alone. */
  readonly directory: string | undefined;
}

/** Path of the package's directory. UNAVAILABLE, with the line that installs it, when it is nowhere. */
export function findLlamaModule({ from, directory }: ModuleSearch): string {
  const places =
    directory === undefined
      ? (createRequire(from).resolve.paths(LLAMA_PACKAGE) ?? []).map((place) => join(place, LLAMA_PACKAGE))
      : [resolve(directory), resolve(directory, "node_modules", LLAMA_PACKAGE), resolve(directory, LLAMA_PACKAGE)];
  const found = places.find(isThePackage);
  if (found !== undefined) return found;
  const where = directory === undefined ? "node_modules above the server and NODE_PATH" : `'${directory}'`;
  throw new NereidError(
    "UNAVAILABLE",
    `backend 'llamacpp' needs the package ${LLAMA_PACKAGE}, which is not in ${where}; install it with: npm install --no-save ${LLAMA_PACKAGE}@${LLAMA_VERSION} (several hundred MB with the GPU builds; docs/text-generation.md says how to take only the one for CPUs), or name its directory with --backend-config=llamacpp,module-directory=<directory>`,
  );
}

function isThePackage(place: string): boolean {
  const file = join(place, "package.json");
  if (!existsSync(file)) return false;
  const { name } = JSON.parse(readFileSync(file, "utf8")) as { readonly name?: unknown };
  return name === LLAMA_PACKAGE;
}
