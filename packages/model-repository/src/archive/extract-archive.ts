import { mkdir, rm } from "node:fs/promises";
import { NereidError } from "@nereid/errors";
import { explainFileError, systemCode } from "../staging/explain-file-error.ts";
import { archiveKindOf } from "./archive-kind.ts";
import { extractTar } from "./extract-tar.ts";
import { extractZip } from "./extract-zip.ts";
import { ExtractionBudget, type ExtractionLimits } from "./extraction-budget.ts";

/**
 * Unpacks a zip, tar or tar.gz into a directory that must not exist yet. Returns the relative paths of its files. Only plain files
 * and directories with harmless names are unpacked; anything else, a damaged or an oversized archive is refused with the entry,
 * the reason and what to do (INVALID_ARGUMENT, PAYLOAD_TOO_LARGE, UNAVAILABLE), and the directory is gone again.
 */
export async function extractArchive(file: string, target: string, limits: ExtractionLimits = {}): Promise<string[]> {
  await mkdir(target);
  try {
    const kind = await archiveKindOf(file);
    const budget = await ExtractionBudget.of(target, limits);
    if (kind === "zip") return await extractZip(file, target, budget);
    if (kind === "tar" || kind === "tar.gz") return await extractTar(file, target, { budget, gzip: kind === "tar.gz" });
    const fix = "upload a zip, tar or tar.gz archive, an .onnx file, or the files themselves";
    throw new NereidError("INVALID_ARGUMENT", `this is no archive that can be unpacked; ${fix}`, { fix });
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw explain(error);
  }
}

/** What zlib and the readers throw means a damaged archive, unless the file system itself failed. */
function explain(error: unknown): NereidError {
  if (error instanceof NereidError) return error;
  const code = systemCode(error);
  if (/^E[A-Z]+$/.test(code)) return explainFileError(error, "unpack the archive");
  const why = error instanceof Error ? error.message : String(error);
  const fix = "pack it again and upload it again";
  return new NereidError("INVALID_ARGUMENT", `the archive is damaged or truncated (${why}); ${fix}`, {
    fix,
    cause: error,
  });
}
