import { promisify } from "node:util";
import { deflate, gunzip, gzip, inflate } from "node:zlib";
import { NereidError } from "@nereid/errors";
import { type EncodedFrame, frameHeader, PREFIX_BYTES } from "@nereid/grpc";
import type { Compression } from "../client-types.ts";

const gzipAsync = promisify(gzip);
const deflateAsync = promisify(deflate);
const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);

/** The frame with its message compressed. */
export async function packFrame(frame: EncodedFrame, compression: Compression): Promise<EncodedFrame> {
  if (compression === "identity") return frame;
  const message = Buffer.concat(frame.pieces, frame.byteLength).subarray(PREFIX_BYTES);
  const packed = await (compression === "gzip" ? gzipAsync(message) : deflateAsync(message));
  const pieces = [frameHeader(packed.byteLength, true), packed];
  return { pieces, byteLength: packed.byteLength + PREFIX_BYTES, copied: true };
}

/** The message inside a compressed one. INTERNAL when it cannot be read, PAYLOAD_TOO_LARGE beyond the limit. */
export async function unpackMessage(
  bytes: Uint8Array,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const unpack = encoding === "gzip" ? gunzipAsync : encoding === "deflate" ? inflateAsync : undefined;
  if (unpack === undefined)
    throw new NereidError(
      "INTERNAL",
      `the server compressed its answer with '${encoding ?? "nothing"}', which is unknown`,
    );
  try {
    return await unpack(bytes, { maxOutputLength: limit });
  } catch (cause) {
    const large = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw large
      ? new NereidError("PAYLOAD_TOO_LARGE", `the answer is larger than ${limit} bytes`, { cause })
      : new NereidError("INTERNAL", "the server's compressed answer cannot be read", { cause });
  }
}
