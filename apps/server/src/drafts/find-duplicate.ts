import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryFile } from "@nereid/client";
import { describeVersion } from "@nereid/model-repository";
import type { Target } from "./find-target.ts";

/** The version of the same model with the same files; null when there is none. Only versions of the same sizes are hashed. */
export async function findDuplicate(
  { versions }: Pick<Target, "versions">,
  files: readonly RepositoryFile[],
): Promise<string | null> {
  for (const [version, directory] of versions) {
    if (!(await sameSizes(directory, files))) continue;
    const there = await describeVersion(directory);
    const same =
      there.files.length === files.length && there.files.every(({ sha256 }, index) => sha256 === files[index]?.sha256);
    if (same) return version;
  }
  return null;
}

async function sameSizes(directory: string, files: readonly RepositoryFile[]): Promise<boolean> {
  for (const { path, bytes } of files) {
    const size = await stat(join(directory, path)).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== bytes) return false;
  }
  return true;
}
