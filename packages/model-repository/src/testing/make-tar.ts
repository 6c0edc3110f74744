import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Headers, pack } from "tar-stream";

/** Bytes of a tar archive. */
export async function makeTar(entries: readonly (Headers & { readonly data?: string | Buffer })[]): Promise<Buffer> {
  const archive = pack();
  for (const { data, ...header } of entries) archive.entry(header, data ?? "");
  archive.finalize();
  return buffer(Readable.from(archive, { objectMode: false }));
}
