import { constants, createGunzip, createInflate, deflate, gzip } from "node:zlib";
import { NereidError } from "@nereid/errors";
import { type EncodedFrame, frameHeader, PREFIX_BYTES, tooLarge } from "@nereid/grpc";
import type { BodyShare } from "../http/body-budget.ts";
import type { CompressionLevel } from "../options/grpc-options.ts";

export type Compression = "gzip" | "deflate";

const CHUNK_BYTES = 64 * 1024;

/** `grpc-encoding` of a request. UNSUPPORTED for what this server does not know. */
export function requestEncoding(header: string | undefined): Compression | undefined {
  if (header === undefined || header === "identity") return undefined;
  if (header === "gzip" || header === "deflate") return header;
  throw new NereidError("UNSUPPORTED", `Compression algorithm '${header.slice(0, 40)}' is not supported`);
}

export interface DecompressLimits {
  readonly maxMessageBytes: number;
  /** What the message may hold of the memory for all bodies. */
  readonly share: BodyShare;
}

/**
 * The message inside a compressed one. PAYLOAD_TOO_LARGE as soon as it grows beyond the limit, UNAVAILABLE when the memory for bodies
 * is used up, INTERNAL (as gRPC says) when the bytes are not what they claim to be.
 */
export function decompressMessage(
  bytes: Uint8Array,
  encoding: Compression,
  { maxMessageBytes, share }: DecompressLimits,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stream =
      encoding === "gzip" ? createGunzip({ chunkSize: CHUNK_BYTES }) : createInflate({ chunkSize: CHUNK_BYTES });
    const chunks: Buffer[] = [];
    let total = 0;
    const fail = (error: NereidError) => {
      chunks.length = 0;
      stream.destroy();
      reject(error);
    };
    stream.on("data", (chunk: Buffer) => {
      total += chunk.byteLength;
      if (total > maxMessageBytes) return fail(tooLarge(total, maxMessageBytes));
      if (!share.add(chunk.byteLength)) return fail(tooManyBodies());
      chunks.push(chunk);
    });
    stream.once("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, total)),
    );
    stream.once("error", (error) =>
      fail(new NereidError("INTERNAL", `failed to decompress the message (${encoding})`, { cause: error })),
    );
    stream.end(bytes);
  });
}

export function tooManyBodies(): NereidError {
  return new NereidError(
    "UNAVAILABLE",
    "the request bodies being received together exceed the server's memory for them; try again later",
  );
}

const LEVELS: Readonly<Record<Exclude<CompressionLevel, "none">, number>> = {
  low: constants.Z_BEST_SPEED,
  medium: 6,
  high: constants.Z_BEST_COMPRESSION,
};

/** How inference answers are compressed; undefined = not at all. */
export interface ResponseCompression {
  readonly encoding: Compression;
  readonly level: number;
}

/** What the server wants and the client takes; gzip before deflate. */
export function responseCompression(
  level: CompressionLevel,
  acceptEncoding: string | undefined,
): ResponseCompression | undefined {
  if (level === "none" || acceptEncoding === undefined) return undefined;
  const accepted = acceptEncoding.split(",").map((name) => name.trim());
  const encoding = (["gzip", "deflate"] as const).find((name) => accepted.includes(name));
  return encoding && { encoding, level: LEVELS[level] };
}

/** The frame with its message compressed; the frame itself when that is not smaller. The pieces must stay until it settles. */
export async function compressFrame(
  frame: EncodedFrame,
  { encoding, level }: ResponseCompression,
): Promise<EncodedFrame> {
  const message = Buffer.concat(frame.pieces, frame.byteLength).subarray(PREFIX_BYTES);
  const packed = await new Promise<Buffer>((resolve, reject) => {
    const done = (error: Error | null, result: Buffer) => (error === null ? resolve(result) : reject(error));
    if (encoding === "gzip") gzip(message, { level }, done);
    else deflate(message, { level }, done);
  });
  if (packed.byteLength >= message.byteLength) return frame;
  const pieces = [Buffer.concat([frameHeader(packed.byteLength, true), packed])];
  return { pieces, byteLength: packed.byteLength + PREFIX_BYTES, copied: true };
}
