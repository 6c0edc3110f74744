import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readIntents } from "../publish/commit-journal.ts";
import { isDirectory, settleIntent } from "../publish/commit-version.ts";
import { NO_STEPS, type Steps } from "./durable.ts";
import { exclusive } from "./exclusive.ts";
import { isAlive, isOwn } from "./process-identity.ts";
import { type StagingPaths, stagingPaths } from "./staging-paths.ts";

/** A draft that nobody touched for longer is dropped. */
const OLDEST_DRAFT_MS = 7 * 24 * 3_600_000;

export interface RecoveryReport {
  /** Publications that a dead process had begun. */
  readonly commits: readonly {
    readonly model: string;
    readonly version: string;
    readonly outcome: "finished" | "undone";
  }[];
  /** Drafts that were dropped for their age. */
  readonly droppedDrafts: readonly string[];
}

/**
 * Brings a repository's staging directory in order; for the start of the server, before models are read. Publications that a dead
 * process had begun are finished when their version is in its place, else undone; leftover files are removed; drafts older than a
 * week are dropped. A repository that cannot be written to and has no staging directory is left alone. Can be repeated.
 */
export async function recoverStaging(
  root: string,
  options: { readonly nowMs?: number; readonly steps?: Steps } = {},
): Promise<RecoveryReport> {
  const { nowMs = Date.now(), steps = NO_STEPS } = options;
  const paths = stagingPaths(root);
  if (!(await isDirectory(paths.directory))) return { commits: [], droppedDrafts: [] };
  const commits: { model: string; version: string; outcome: "finished" | "undone" }[] = [];
  const intents = await readIntents(root);
  const foreign = intents.filter(({ owner }) => isAlive(owner) && !isOwn(owner));
  for (const intent of intents.filter((candidate) => !foreign.includes(candidate))) {
    const { model, version } = intent;
    await steps(`recover ${model}`);
    const outcome = await exclusive(join(root, model), () => settleIntent(root, intent, steps));
    commits.push({ model, version, outcome });
  }
  await steps("remove leftovers");
  // Temporary files of another living server are left to it.
  if (foreign.length === 0) await removeLeftovers(paths);
  return { commits, droppedDrafts: await dropOldDrafts(paths, nowMs) };
}

async function removeLeftovers(paths: StagingPaths): Promise<void> {
  for (const name of await readdir(paths.trash).catch(() => [])) {
    await rm(join(paths.trash, name), { recursive: true, force: true });
  }
  for (const name of await readdir(paths.commits).catch(() => [])) {
    if (!name.endsWith(".json")) await rm(join(paths.commits, name), { recursive: true, force: true });
  }
}

async function dropOldDrafts(paths: StagingPaths, nowMs: number): Promise<string[]> {
  const dropped: string[] = [];
  for (const id of await readdir(paths.drafts).catch(() => [])) {
    const directory = join(paths.drafts, id);
    if (nowMs - (await lastTouched(directory)) <= OLDEST_DRAFT_MS) continue;
    await rm(directory, { recursive: true, force: true });
    dropped.push(id);
  }
  return dropped;
}

/** The latest change of the draft's record or of a part of an upload, in Unix milliseconds. */
async function lastTouched(directory: string): Promise<number> {
  const uploads = join(directory, "uploads");
  const parts = await readdir(uploads).catch(() => []);
  const paths = [directory, join(directory, "draft.json"), ...parts.map((name) => join(uploads, name))];
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}
