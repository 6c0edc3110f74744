import { constants } from "node:fs";
import { copyFile, link, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { NereidError } from "@nereid/errors";
import {
  archiveKindOf,
  type ExtractionLimits,
  extractArchive,
  isArchiveName,
  PathSet,
  systemCode,
} from "@nereid/model-repository";

/** A file that came, by the path it had where it was dropped. */
export interface SourceFile {
  readonly path: string;
  /** Where it lies now. */
  readonly file: string;
}

/**
 * The files of a draft: those of the archive, when one was uploaded, else the uploads themselves. An archive is unpacked into
 * `target`, which is emptied first. INVALID_ARGUMENT when the archive is refused or files came besides it.
 */
export async function sourceFiles(
  uploads: readonly SourceFile[],
  target: string,
  limits: ExtractionLimits,
): Promise<readonly SourceFile[]> {
  await rm(target, { recursive: true, force: true });
  const archive = await findArchive(uploads);
  if (archive === undefined) {
    const seen = new PathSet();
    for (const { path } of uploads) seen.add(path, "file");
    return uploads;
  }
  if (uploads.length > 1) {
    const fix = "upload one archive, or the files themselves";
    throw new NereidError("INVALID_ARGUMENT", `the archive '${archive.path}' came together with other files; ${fix}`, {
      fix,
    });
  }
  const paths = await extractArchive(archive.file, target, limits);
  return paths.map((path) => ({ path, file: join(target, path) }));
}

async function findArchive(uploads: readonly SourceFile[]): Promise<SourceFile | undefined> {
  const named = uploads.find(({ path }) => isArchiveName(path));
  if (named !== undefined) return named;
  const [only] = uploads;
  if (uploads.length !== 1 || only === undefined || /\.onnx$/i.test(only.path)) return undefined;
  return (await archiveKindOf(only.file)) === "none" ? undefined : only;
}

/** Puts a file at another place without moving it: as a hard link where the file system has them, else as a copy. */
export async function placeFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to);
  } catch (error) {
    if (!["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS"].includes(systemCode(error))) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
}
