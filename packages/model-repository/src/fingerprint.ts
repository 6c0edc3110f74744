import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, readlink, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

/**
 * Size and time of every file below a directory, hashed; links are followed, and where they point counts too. Files that vanish while it
 * reads count as absent.
 */
export async function fingerprintOf(directory: string): Promise<string> {
  const hash = createHash("sha256");
  const real = await realpath(directory).catch(() => directory);
  for (const line of await describe(directory, "", [real])) hash.update(line);
  return hash.digest("hex");
}

/** `inside`: the real directories it is in now, by which a circle of links is found. */
async function describe(root: string, relative: string, inside: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await entriesOf(join(root, relative))) {
    const path = join(relative, entry.name);
    const full = join(root, path);
    if (entry.isDirectory()) {
      lines.push(`${path}/\n`, ...(await describe(root, path, [...inside, join(inside.at(-1) ?? root, entry.name)])));
      continue;
    }
    if (entry.isSymbolicLink()) lines.push(`${path}\0${await readlink(full).catch(() => "")}\n`);
    const found = await stat(full).catch(() => undefined);
    if (found === undefined) continue;
    if (!found.isDirectory()) {
      lines.push(`${path}\0${found.size}\0${found.mtimeMs}\n`);
      continue;
    }
    const real = await realpath(full).catch(() => undefined);
    const circular = real === undefined || inside.some((outer) => outer === real || outer.startsWith(`${real}${sep}`));
    if (!circular) lines.push(...(await describe(root, path, [...inside, real])));
  }
  return lines;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
