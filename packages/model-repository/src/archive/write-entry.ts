import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Streams an entry into a new file below `target`. `see` gets every chunk before it is written and may throw. The entry is opened
 * last: a stream that fails before anybody listens would end the process.
 */
export async function writeEntry(
  open: () => Readable | Promise<Readable>,
  place: { readonly target: string; readonly path: string },
  see: (chunk: Uint8Array) => void,
): Promise<void> {
  const file = join(place.target, place.path);
  await mkdir(dirname(file), { recursive: true });
  const watch = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      try {
        see(chunk);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  // "wx": a name that is there already is a collision that only this file system sees.
  await pipeline(await open(), watch, createWriteStream(file, { flags: "wx", mode: 0o644 }));
}
