import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { hashFile } from "./hash-file.ts";

export interface DescribedFile {
  /** Relative to the directory, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface VersionDescription {
  /** SHA-256 (hex) over `path\0sha256\n` of every file, sorted by path. */
  readonly digest: string;
  readonly bytes: number;
  /** When the directory's own entries last changed, in Unix milliseconds. */
  readonly createdAtMs: number;
  /** Sorted by path. */
  readonly files: readonly DescribedFile[];
}

/** Hashes that are remembered; the oldest is forgotten first. */
const REMEMBERED = 20_000;
const remembered = new Map<string, string>();

/** Sizes and hashes of every file below a directory. A file is hashed again only when its size, time or inode changed. */
export async function describeVersion(directory: string): Promise<VersionDescription> {
  const files: DescribedFile[] = [];
  for (const path of (await filesBelow(directory)).sort()) {
    const file = join(directory, path);
    const found = await stat(file);
    files.push({ path, bytes: found.size, sha256: await hashOnce(file, found) });
  }
  return {
    digest: digestOfFiles(files),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    createdAtMs: Math.round((await stat(directory)).mtimeMs),
    files,
  };
}

/** The digest of a version: SHA-256 (hex) over `path\0sha256\n`, sorted by path. Pure. */
export function digestOfFiles(files: readonly Pick<DescribedFile, "path" | "sha256">[]): string {
  const hash = createHash("sha256");
  for (const { path, sha256 } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(`${path}\0${sha256}\n`);
  return hash.digest("hex");
}

/** Relative paths, with forward slashes, of every file below a directory; links to files count as files. */
export async function filesBelow(directory: string, prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(directory, prefix), { withFileTypes: true })) {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(directory, path)));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(join(directory, path))))) found.push(path);
  }
  return found;
}

async function hashOnce(file: string, found: { size: number; mtimeMs: number; ino: number }): Promise<string> {
  const key = `${file}\0${found.size}\0${found.mtimeMs}\0${found.ino}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const sha256 = await hashFile(file);
  const oldest = remembered.keys().next();
  if (remembered.size >= REMEMBERED && oldest.done !== true) remembered.delete(oldest.value);
  remembered.set(key, sha256);
  return sha256;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
