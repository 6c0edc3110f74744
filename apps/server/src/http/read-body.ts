import type { IncomingMessage } from "node:http";
import { NereidError } from "@nereid/errors";
import { MAX_CHUNKS, TOO_MANY_CHUNKS_TEXT } from "@nereid/protocol";
import type { BodyShare } from "./body-budget.ts";

/** Memory to receive a body of known length in. */
export type Receive = (byteLength: number) => Uint8Array | undefined;

/** Largest body of any request; Triton has no limit for binary tensors, a machine's memory has one. */
const MOST_BYTES = 1 << 30;
const EMPTY = Buffer.alloc(0);

export interface ReadBodyOptions {
  readonly limit?: number;
  /** What to do about a body beyond the limit. */
  readonly advice?: string;
  /** Offers memory for a body of announced length; undefined declines. */
  readonly receive?: Receive;
  /** What this exchange may hold of the memory for all bodies. */
  readonly share?: BodyShare;
}

/**
 * Reads a request body. A body of announced length is received in the memory `receive` offers; else one chunk is used as it is
 * and more are joined. Throws PAYLOAD_TOO_LARGE beyond `limit` and INVALID_ARGUMENT for too many chunks; the caller should
 * close the connection then.
 */
export async function readBody(request: IncomingMessage, options: ReadBodyOptions = {}): Promise<Buffer> {
  const { limit = MOST_BYTES, advice = "split the batch" } = options;
  const announced = request.headers["content-length"];
  if (announced === undefined && request.headers["transfer-encoding"] === undefined) return EMPTY;
  const length = announced === undefined ? undefined : Number(announced);
  if (length !== undefined && length > limit) throw tooLarge(limit, advice);
  const target = length === undefined ? undefined : options.receive?.(length);
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const onData = (chunk: Buffer) => {
      const at = total;
      total += chunk.byteLength;
      if (target !== undefined && total <= target.byteLength) {
        target.set(chunk, at);
        return;
      }
      if (options.share?.add(chunk.byteLength) === false) return stop(tooManyBodies());
      chunks.push(chunk);
      if (total > limit) stop(tooLarge(limit, advice));
      else if (length === undefined && chunks.length > MAX_CHUNKS)
        stop(new NereidError("INVALID_ARGUMENT", TOO_MANY_CHUNKS_TEXT));
    };
    const stop = (error: NereidError) => {
      request.off("data", onData);
      chunks.length = 0;
      // What still comes is thrown away, so that the answer can be written before the connection closes.
      request.resume();
      reject(error);
    };
    request.on("data", onData);
    request.once("end", () => {
      const [only] = chunks;
      if (target !== undefined) return resolve(Buffer.from(target.buffer, target.byteOffset, total));
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, total));
    });
    request.once("error", (error) =>
      reject(new NereidError("CANCELLED", "the client closed the connection", { cause: error })),
    );
    request.once("close", () => {
      if (!request.complete) reject(new NereidError("CANCELLED", "the client closed the connection"));
    });
  });
}

function tooManyBodies(): NereidError {
  return new NereidError(
    "UNAVAILABLE",
    "the request bodies being received together exceed the server's memory for them; try again later",
  );
}

function tooLarge(limit: number, advice: string): NereidError {
  return new NereidError("PAYLOAD_TOO_LARGE", `the request body exceeds the largest size of ${limit} bytes; ${advice}`);
}
