import { constants } from "node:fs";
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, utimes } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { NereidError } from "@nereid/errors";
import { fingerprintOf, LocalRepository, type ModelSnapshot, stagingPaths } from "@nereid/model-repository";

/** Files that a version is served from. */
export interface ServedFiles {
  readonly version: string;
  readonly directory: string;
  /** Of the directory when it was loaded. */
  readonly fingerprint: string;
}

export interface CandidateFiles {
  readonly name: string;
  /** The model whose files they are. */
  readonly of: string;
  /** Its directory. */
  readonly directory: string;
  readonly versions: readonly ServedFiles[];
  /** Where they may stand; the first on the same file system is taken, else the first at all. */
  readonly parents: readonly string[];
}

/** Errors of a hard link that a copy does not have: another file system, one without links, too many, or not ours. */
const NO_LINK = new Set(["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
const PREFIX = "candidate-";
const DIRECTORY = /^candidate-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * A model directory of the candidate's own with the files of another model's versions, as hard links where the file system has them,
 * else as copies: it stays as it is when those are replaced or removed. CONFLICT when they are no longer those that are served. It
 * belongs to the caller, who removes `snapshot.repository`.
 */
export async function stageCandidate(files: CandidateFiles): Promise<ModelSnapshot> {
  const root = await makeRoot(files);
  try {
    const wanted = new Set(files.versions.map(({ directory }) => basename(directory)));
    const target = join(root, files.name);
    await mkdir(target);
    for (const entry of await readdir(files.directory)) {
      if (/^\d+$/.test(entry) && !wanted.has(entry)) continue;
      await place(join(files.directory, entry), join(target, entry), [await realpath(files.directory)]);
    }
    // Looked at behind the links: what was replaced before or meanwhile is another model than the one that answers.
    for (const { version, directory, fingerprint } of files.versions) {
      if ((await fingerprintOf(directory)) === fingerprint) continue;
      throw new NereidError(
        "CONFLICT",
        `the files of model '${files.of}' version ${version} changed since it was loaded`,
        {
          fix: `load '${files.of}' again, then make the candidate`,
        },
      );
    }
    const repository = new LocalRepository([root]);
    const location = await repository.find(files.name);
    if (location?.kind !== "unique") throw new NereidError("INTERNAL", `candidate '${files.name}' has no files`);
    return await repository.read(location);
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

/** Where candidates of a model in this repository can stand without being copied. */
export function candidateDirectory(repository: string): string {
  return join(stagingPaths(repository).directory, "candidates");
}

/** Removes what candidates of servers that were killed have left in these repositories. */
export async function removeLeftCandidates(repositories: readonly string[]): Promise<void> {
  for (const repository of repositories) {
    const parent = candidateDirectory(repository);
    for (const name of await readdir(parent).catch(() => [])) {
      const pid = Number(DIRECTORY.exec(name)?.[1]);
      if (Number.isNaN(pid) || (pid !== process.pid && (await isServer(pid)))) continue;
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

/** A number that another program got since counts as one too: what is left then goes at a later start. */
async function isServer(pid: number): Promise<boolean> {
  return readFile(`/proc/${pid}/cmdline`, "latin1").then(
    (line) => line !== "",
    () => false,
  );
}

async function makeRoot({ directory, parents }: CandidateFiles): Promise<string> {
  const { dev } = await stat(directory);
  let last: unknown;
  for (const same of [true, false]) {
    for (const parent of parents) {
      try {
        await mkdir(parent, { recursive: true, mode: 0o711 });
        if (same && (await stat(parent)).dev !== dev) continue;
        const root = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
        // The runners' user must find the files, as it finds the model's own.
        await chmod(root, 0o711);
        return root;
      } catch (error) {
        // A repository that cannot be written to is no place; the next one may be.
        last = error;
      }
    }
  }
  throw new NereidError("UNAVAILABLE", "there is no place for the files of a candidate", {
    fix: "give the server a temporary directory that it can write to (TMPDIR)",
    cause: last,
  });
}

/** Links are followed, so that one that names a place beside it still leads there. `inside`: where it is in now. */
async function place(source: string, target: string, inside: readonly string[]): Promise<void> {
  const real = await realpath(source);
  const found = await stat(real);
  if (found.isFile()) return linkOrCopy(real, target);
  if (!found.isDirectory() || inside.some((outer) => outer === real || outer.startsWith(`${real}${sep}`))) return;
  await mkdir(target);
  for (const entry of await readdir(real)) await place(join(real, entry), join(target, entry), [...inside, real]);
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!NO_LINK.has(code)) throw error;
    const { atime, mtime } = await stat(source);
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await utimes(target, atime, mtime);
  }
}
