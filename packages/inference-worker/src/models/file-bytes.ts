import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

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
