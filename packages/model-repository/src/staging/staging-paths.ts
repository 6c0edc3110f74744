import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { explainFileError } from "./explain-file-error.ts";

/** Directory below a repository root for what is not published yet; on the same file system, so that publishing is a rename. */
export const STAGING_DIRECTORY = ".nereid-staging";

export interface StagingPaths {
  readonly directory: string;
  /** One directory a draft. */
  readonly drafts: string;
  /** Intents of publications that are under way, and new texts that wait for their rename. */
  readonly commits: string;
  /** What was deleted and is still being removed. */
  readonly trash: string;
}

/** Where staging lies below a repository root. Touches nothing. */
export function stagingPaths(root: string): StagingPaths {
  const directory = join(root, STAGING_DIRECTORY);
  return {
    directory,
    drafts: join(directory, "drafts"),
    commits: join(directory, "commits"),
    trash: join(directory, "trash"),
  };
}

/** Creates the staging directories. UNAVAILABLE, naming the fix, when the repository cannot be written. */
export async function ensureStaging(root: string): Promise<StagingPaths> {
  const paths = stagingPaths(root);
  try {
    for (const path of [paths.drafts, paths.commits, paths.trash]) await mkdir(path, { recursive: true });
  } catch (error) {
    throw explainFileError(error, `create ${paths.directory}`);
  }
  return paths;
}
