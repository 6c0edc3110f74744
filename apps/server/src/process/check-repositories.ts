import { statSync } from "node:fs";
import { resolve } from "node:path";
import { NereidError } from "@nereid/errors";

/** INVALID_ARGUMENT, with the absolute path, for a model repository that is not a directory: a typo would serve nothing. */
export function checkRepositories(directories: readonly string[]): void {
  for (const directory of directories) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    throw new NereidError(
      "INVALID_ARGUMENT",
      `Bad option: "--model-repository". ${resolve(directory)} is not a directory; create it, or correct the path`,
    );
  }
}
