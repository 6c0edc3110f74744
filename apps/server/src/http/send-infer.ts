import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { deflate, gzip } from "node:zlib";
import type { ContentEncoding, EncodedMessage } from "@nereid/protocol";

const gzipAsync = promisify(gzip);
const deflateAsync = promisify(deflate);

/** Blobs up to this size are copied behind the JSON; larger ones go to the socket from where they lie. */
const COPY_LIMIT = 64 * 1024;
/** Node first notes how much is left and only then looks whether it got less: a stalled reader is dropped after twice this. */
export const STALLED_AFTER_MS = 10_000;

/**
 * Sends an inference answer. `release` is called once the bytes are no longer needed: at once when they were copied, else
 * when the socket has taken them or is gone.
 */
export async function sendInfer(
  response: ServerResponse,
  message: EncodedMessage,
  how: {
    readonly encoding: ContentEncoding;
    readonly release: () => void;
    /** Value of the header Server-Timing, where the client wants it. */
    readonly timing?: string | undefined;
  },
): Promise<void> {
  // The client left while the request executed: nobody is told of the end of this answer any more.
  if (response.destroyed) return how.release();
  const { json, blobs, contentType, headerLength } = message;
  const total = blobs.reduce((sum, blob) => sum + blob.byteLength, json.byteLength);
  const headers = ["Content-Type", contentType];
  if (headerLength !== undefined) headers.push("Inference-Header-Content-Length", String(headerLength));
  if (how.timing !== undefined) headers.push("Server-Timing", how.timing);
  if (how.encoding !== "identity") {
    const whole = Buffer.concat([json, ...blobs], total);
    how.release();
    const packed = await (how.encoding === "gzip" ? gzipAsync(whole) : deflateAsync(whole));
    headers.push("Content-Encoding", how.encoding, "Content-Length", String(packed.byteLength));
    response.writeHead(200, headers);
    response.end(packed);
    return;
  }
  headers.push("Content-Length", String(total));
  response.writeHead(200, headers);
  if (total - json.byteLength <= COPY_LIMIT) {
    const whole = blobs.length === 0 ? json : Buffer.concat([json, ...blobs], total);
    how.release();
    response.end(whole);
    return;
  }
  response.once("finish", how.release);
  response.once("close", how.release);
  dropWhenStalled(response);
  response.cork();
  response.write(json);
  for (const blob of blobs) response.write(blob);
  response.end();
}

/** A client that stops reading must not hold shared memory for ever; any progress starts the time anew. */
export function dropWhenStalled(response: ServerResponse): void {
  response.setTimeout(STALLED_AFTER_MS, () => response.destroy());
  response.once("finish", () => response.setTimeout(0));
}
