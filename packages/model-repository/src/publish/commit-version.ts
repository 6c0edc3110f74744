import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { NereidError } from "@nereid/errors";
import { plainVersion } from "@nereid/model-config";
import { filesBelow } from "../files/describe-version.ts";
import { digestOfText } from "../files/hash-file.ts";
import { assertModelName } from "../model-name.ts";
import { NO_STEPS, type Steps, syncDirectory, syncTree, writeSynced } from "../staging/durable.ts";
import { exclusive } from "../staging/exclusive.ts";
import { explainFileError, systemCode } from "../staging/explain-file-error.ts";
import { isOwn } from "../staging/process-identity.ts";
import { type CommitIntent, dropIntent, readIntents, writeIntent } from "./commit-journal.ts";
import { assertConfigUnchanged, CONFIG_FILE, readConfigText } from "./config-text.ts";

export interface CommitVersion {
  /** Repository root. */
  readonly root: string;
  readonly model: string;
  /** Digits without a leading zero. */
  readonly version: string;
  /** A model directory on the root's file system: `<version>/…`, and label files beside it. It is moved, not copied. */
  readonly tree: string;
  /** The `config.pbtxt` to publish with the version; undefined leaves the model's own as it is, or none. */
  readonly configText: string | undefined;
  /** Digest of the text that the version was checked with or that `configText` replaces; another one on disk answers CONFLICT. */
  readonly ifConfigDigest?: string;
  readonly steps?: Steps;
}

/**
 * Publishes a version: readers see the repository without it or with all of it. ALREADY_EXISTS when the version is there, also
 * when another publication was faster; CONFLICT (details.digest) when the configuration changed. After a refusal the tree is
 * where it was. A process that dies on the way leaves an intent that `recoverStaging` finishes or undoes.
 */
export async function commitVersion(commit: CommitVersion): Promise<{ configDigest: string }> {
  assertModelName(commit.model);
  assertVersionName(commit.version);
  const directory = join(commit.root, commit.model);
  return exclusive(directory, async () => {
    try {
      return await publish(commit, directory);
    } catch (error) {
      throw explainFileError(error, `publish version ${commit.version} of model '${commit.model}'`);
    }
  });
}

/** INVALID_ARGUMENT unless the name is that of a version directory: digits without a leading zero, at most 2^63 - 1. */
export function assertVersionName(version: string): void {
  if (plainVersion(version) !== version) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `'${version.slice(0, 50)}' is no version; use a number from 0 to 9223372036854775807 without a leading zero, such as 1`,
    );
  }
}

async function publish(commit: CommitVersion, directory: string): Promise<{ configDigest: string }> {
  const { root, model, version, tree, configText, steps = NO_STEPS } = commit;
  for (const left of await readIntents(root)) {
    if (left.model === model && isOwn(left.owner)) await settleIntent(root, left, steps);
  }
  const isNew = (await entriesOf(directory)).length === 0;
  await refuseExisting(directory, commit);
  if (commit.ifConfigDigest !== undefined) await assertConfigUnchanged(directory, commit.ifConfigDigest);
  await steps("write configuration");
  if (configText === undefined) await rm(join(tree, CONFIG_FILE), { force: true });
  else await writeSynced(join(tree, CONFIG_FILE), configText);
  await steps("sync tree");
  await syncTree(tree);
  const id = randomUUID();
  const intent: Omit<CommitIntent, "owner"> = {
    id,
    model,
    version,
    tree: isNew ? { from: tree, to: directory } : { from: join(tree, version), to: join(directory, version) },
    files: isNew ? [] : await filesBesideVersion(commit, directory),
  };
  for (const { to } of intent.files) await mkdir(dirname(to), { recursive: true });
  await steps("write intent");
  await writeIntent(root, intent, steps);
  try {
    await steps("rename tree");
    await refuseExisting(directory, commit);
    await renameTree(intent, commit);
  } catch (error) {
    await dropIntent(root, id);
    throw error;
  }
  await finishIntent(root, intent, steps);
  return { configDigest: digestOfText(await readConfigText(directory)) };
}

/** What follows the deciding rename; can be repeated. */
export async function finishIntent(root: string, intent: Omit<CommitIntent, "owner">, steps: Steps): Promise<void> {
  for (const { from, to } of intent.files) {
    await steps(`rename ${to.slice(dirname(intent.tree.to).length + 1)}`);
    await rename(from, to).catch(ignoreMissing);
  }
  await steps("sync model directory");
  for (const path of new Set([dirname(intent.tree.to), ...intent.files.map(({ to }) => dirname(to))]))
    await syncDirectory(path).catch(ignoreMissing);
  await steps("drop intent");
  await dropIntent(root, intent.id);
}

/** What is not there any more was done before, or deleted since. */
function ignoreMissing(error: unknown): void {
  if (systemCode(error) !== "ENOENT") throw error;
}

/** Finishes or undoes what a publication of this model left behind when it failed half-way. */
export async function settleIntent(root: string, intent: CommitIntent, steps: Steps): Promise<"finished" | "undone"> {
  if (await isDirectory(intent.tree.from)) {
    await dropIntent(root, intent.id);
    return "undone";
  }
  await finishIntent(root, intent, steps);
  return "finished";
}

/** Replaces nothing but an empty directory: the file system refuses to rename over one that has entries. */
async function renameTree(intent: Omit<CommitIntent, "owner">, commit: CommitVersion): Promise<void> {
  try {
    await rename(intent.tree.from, intent.tree.to);
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(systemCode(error))) throw alreadyExists(commit);
    throw error;
  }
}

async function refuseExisting(directory: string, commit: CommitVersion): Promise<void> {
  if ((await entriesOf(join(directory, commit.version))).length > 0) throw alreadyExists(commit);
}

function alreadyExists({ model, version }: CommitVersion): NereidError {
  const fix = "choose another version number, or delete that version first";
  return new NereidError(
    "ALREADY_EXISTS",
    `version ${version} of model '${model}' is already in the repository; ${fix}`,
    {
      fix,
      details: { model, version },
    },
  );
}

/** Configuration, label and other files of the tree beside the version, and where they go. */
async function filesBesideVersion(commit: CommitVersion, directory: string): Promise<CommitIntent["files"]> {
  const { tree, version } = commit;
  const paths = (await filesBelow(tree)).filter((path) => !path.startsWith(`${version}/`));
  return paths.map((path) => ({ from: join(tree, path), to: join(directory, path) }));
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Whether a directory stands at a path. */
export async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
