import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { filesBelow } from "./describe-version.ts";

/**
 * A tar stream of every file below a directory, each under `<prefix>/`. Files are read while the stream is consumed; a file that
 * cannot be read, or changes its size meanwhile, destroys the stream with the error.
 */
export function archiveVersion(directory: string, prefix: string): Readable {
  const archive = pack();
  fill(archive, directory, prefix).catch((error: Error) => archive.destroy(error));
  const readable = Readable.from(archive, { objectMode: false });
  readable.once("close", () => archive.destroy());
  return readable;
}

async function fill(archive: ReturnType<typeof pack>, directory: string, prefix: string): Promise<void> {
  for (const path of (await filesBelow(directory)).sort()) {
    if (archive.destroyed) return;
    const { size, mtime } = await stat(join(directory, path));
    const entry = archive.entry({ name: `${prefix}/${path}`, size, mtime, mode: 0o644 });
    await pipeline(createReadStream(join(directory, path)), entry);
  }
  archive.finalize();
}
