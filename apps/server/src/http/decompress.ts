import { promisify } from "node:util";
import { type InputType, unzip, type ZlibOptions } from "node:zlib";
import { NereidError } from "@nereid/errors";
import {
  decompressedTooLargeText,
  NOTHING_TO_DECOMPRESS_TEXT,
  parseRequestEncoding,
  SUPPORTED_REQUEST_ENCODINGS,
} from "@nereid/protocol";

const unzipAsync = promisify<InputType, ZlibOptions, Buffer>(unzip);

/** Body of an inference request without its Content-Encoding; gzip and zlib are told apart by their bytes, as Triton does. */
export async function decompress(body: Buffer, contentEncoding: string | undefined, limit: number): Promise<Buffer> {
  if (encodingOf(contentEncoding) === "identity") return body;
  if (body.byteLength === 0) throw new NereidError("INVALID_ARGUMENT", NOTHING_TO_DECOMPRESS_TEXT);
  try {
    return await unzipAsync(body, { maxOutputLength: limit });
  } catch (error) {
    const tooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new NereidError(
      "INVALID_ARGUMENT",
      tooLarge ? decompressedTooLargeText(limit) : "failed to decompress the request body",
      { cause: error },
    );
  }
}

function encodingOf(contentEncoding: string | undefined) {
  try {
    return parseRequestEncoding(contentEncoding);
  } catch (error) {
    const { code, message } = NereidError.from(error);
    throw new NereidError(code, message, { details: { headers: { "Accept-Encoding": SUPPORTED_REQUEST_ENCODINGS } } });
  }
}
