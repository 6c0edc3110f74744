import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Steps, writeDurably } from "../staging/durable.ts";
import { ownProcess, type ProcessIdentity } from "../staging/process-identity.ts";
import { ensureStaging, stagingPaths } from "../staging/staging-paths.ts";

/**
 * What a publication is about to do. It is on disk before the first rename. The rename of `tree` is the one that decides: before
 * it nothing has happened, after it the rest is carried out, by the publication itself or by the next start.
 */
export interface CommitIntent {
  readonly id: string;
  readonly owner: ProcessIdentity;
  readonly model: string;
  readonly version: string;
  /** Renamed first: a whole model directory, or one version directory. Absolute paths. */
  readonly tree: { readonly from: string; readonly to: string };
  /** Renamed afterwards, over what is there: configuration and label files. */
  readonly files: readonly { readonly from: string; readonly to: string }[];
}

export async function writeIntent(root: string, intent: Omit<CommitIntent, "owner">, steps: Steps): Promise<void> {
  const { commits } = await ensureStaging(root);
  await writeDurably(join(commits, `${intent.id}.json`), JSON.stringify({ ...intent, owner: ownProcess() }), { steps });
}

export async function dropIntent(root: string, id: string): Promise<void> {
  await rm(join(stagingPaths(root).commits, `${id}.json`), { force: true });
}

/** Every intent on disk; files that are no intent (half of a temporary file) are left out. */
export async function readIntents(root: string): Promise<CommitIntent[]> {
  const { commits } = stagingPaths(root);
  const intents: CommitIntent[] = [];
  for (const name of await readdir(commits).catch(() => [])) {
    if (!name.endsWith(".json")) continue;
    const intent = parseIntent(await readFile(join(commits, name), "utf8").catch(() => ""));
    if (intent !== undefined) intents.push(intent);
  }
  return intents;
}

function parseIntent(text: string): CommitIntent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "tree" in value && "files" in value
      ? // Only this file writes intents, and it writes them whole.
        (value as CommitIntent)
      : undefined;
  } catch {
    return undefined;
  }
}
