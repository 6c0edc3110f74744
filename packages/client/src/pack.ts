import type { Compression } from "./client-types.ts";

/** A body packed as asked; by the platform's own streams, so that it works in browsers too. */
export async function pack(body: Uint8Array<ArrayBuffer>, compression: Compression): Promise<Uint8Array<ArrayBuffer>> {
  if (compression === "identity") return body;
  const packed = new Blob([body]).stream().pipeThrough(new CompressionStream(compression));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
