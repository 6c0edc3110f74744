import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { checkEntryPath, isPackerLitter, PathSet, refuseEntry } from "./check-entry-path.ts";
import { ExtractionBudget } from "./extraction-budget.ts";
import { writeEntry } from "./write-entry.ts";

const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;

interface PlannedEntry {
  readonly entry: Entry;
  readonly path: string;
}

/** Unpacks a zip. The directory at its end is checked as a whole before the first byte is written. */
export async function extractZip(file: string, target: string, budget: ExtractionBudget): Promise<string[]> {
  const zip = await openPromise(file, { autoClose: false, decodeStrings: false, validateEntrySizes: true });
  // Whoever waits is told by a promise; one that comes when nobody waits must not end the process.
  zip.on("error", () => undefined);
  try {
    budget.announceEntries(zip.entryCount);
    const { files, directories } = await plan(zip, budget);
    for (const path of directories) await mkdir(join(target, path), { recursive: true });
    for (const planned of files) await extractEntry(zip, planned, target);
    return files.map(({ path }) => path);
  } finally {
    zip.close();
  }
}

async function plan(zip: ZipFile, budget: ExtractionBudget): Promise<{ files: PlannedEntry[]; directories: string[] }> {
  const paths = new PathSet();
  const files: PlannedEntry[] = [];
  const directories: string[] = [];
  for await (const entry of zip.eachEntry()) {
    budget.addEntry();
    const name = nameOf(entry);
    const path = checkEntryPath(name);
    const isDirectory = name.endsWith("/");
    checkType(entry, name, isDirectory);
    if (path === "" || isPackerLitter(path)) continue;
    paths.add(path, isDirectory ? "directory" : "file");
    if (isDirectory) {
      directories.push(path);
      continue;
    }
    if (entry.isEncrypted()) throw refuseEntry(name, "is encrypted", "pack the archive without a password");
    if (!entry.canDecodeFileData())
      throw refuseEntry(
        name,
        `uses compression method ${entry.compressionMethod}`,
        "pack with deflate or without compression",
      );
    ExtractionBudget.checkRatio(name, entry.compressedSize, entry.uncompressedSize);
    budget.addBytes(name, entry.uncompressedSize);
    files.push({ entry, path });
  }
  return { files, directories };
}

function nameOf(entry: Entry): string {
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
}

function checkType(entry: Entry, name: string, isDirectory: boolean): void {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_MASK;
  if (type === 0 || type === (isDirectory ? DIRECTORY : REGULAR)) return;
  throw refuseEntry(name, "is a link or a special file", "pack the files that links point to instead of the links");
}

async function extractEntry(zip: ZipFile, { entry, path }: PlannedEntry, target: string): Promise<void> {
  let checksum = 0;
  // The reader itself stops an entry that is longer or shorter than its announced size.
  await writeEntry(
    () => zip.openReadStreamPromise(entry),
    { target, path },
    (chunk) => {
      checksum = crc32(chunk, checksum);
    },
  ).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code))) throw error;
    throw refuseEntry(
      path,
      `is damaged (${error instanceof Error ? error.message : String(error)})`,
      "pack and upload it again",
    );
  });
  if (checksum >>> 0 !== entry.crc32 >>> 0)
    throw refuseEntry(path, "is damaged: its checksum is another than the archive says", "pack and upload it again");
}
