import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { estimatedBytes } from "./memory-budget.ts";

/** Bytes of all files below a directory; what cannot be read counts nothing. */
export async function fileBytesOf(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes of a version's files, and what a load of it is reckoned to take as long as it was never loaded. */
export async function estimateOfDirectory(
  directory: string,
): Promise<{ readonly fileBytes: number; readonly bytes: number }> {
  const fileBytes = await fileBytesOf(directory);
  return { fileBytes, bytes: estimatedBytes(fileBytes) };
}
