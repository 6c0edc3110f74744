import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Size and time of every file below a directory, hashed. Files that vanish while it reads count as absent. */
export async function fingerprintOf(directory: string): Promise<string> {
  const hash = createHash("sha256");
  for (const line of await describe(directory, "")) hash.update(line);
  return hash.digest("hex");
}

async function describe(root: string, relative: string): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await entriesOf(join(root, relative))) {
    const path = join(relative, entry.name);
    if (entry.isDirectory()) {
      lines.push(`${path}/\n`, ...(await describe(root, path)));
      continue;
    }
    const found = await stat(join(root, path)).catch(() => undefined);
    if (found !== undefined) lines.push(`${path}\0${found.size}\0${found.mtimeMs}\n`);
  }
  return lines;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
