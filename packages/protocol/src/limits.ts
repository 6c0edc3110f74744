/** Default of `--http-max-input-size`, in bytes. */
export const DEFAULT_MAX_INPUT_SIZE = 64 * 1024 * 1024;

/** Largest JSON part of an inference response, in bytes; what is larger has to travel as binary data. */
export const MAX_JSON_RESPONSE_BYTES = 256 * 1024 * 1024;

/** JSON outputs of more elements than this should be encoded in slices. */
export const LARGE_JSON_ELEMENTS = 64 * 1024;

const LARGE_JSON_BYTES = 256 * 1024;

/** Whether a JSON part of so many bytes takes long enough that it should be decoded in slices. */
export function isLargeJson(bytes: number): boolean {
  return bytes > LARGE_JSON_BYTES;
}

/** Most non-empty chunks of a chunked request body (http.md §7). */
export const MAX_CHUNKS = 65_536;

/** Text of the 400 for a body in too many chunks; the connection is closed after it. */
export const TOO_MANY_CHUNKS_TEXT = `Chunked request body exceeds maximum of ${MAX_CHUNKS} non-empty chunks. Send fewer or larger HTTP chunks.`;

/** Text of the 400 for a compressed body of no bytes (http.md §15). */
export const NOTHING_TO_DECOMPRESS_TEXT = "nothing to be decompressed";

const ADVICE = "Use --http-max-input-size to increase the limit.";

/** Text of the 400 for a JSON part of `size` bytes (http.md §7). */
export function jsonTooLargeText(size: number, limit: number): string {
  return `request JSON size of ${size} bytes exceeds the maximum allowed input size of ${limit} bytes. ${ADVICE}`;
}

/** Text of the 400 for a decoded JSON input of `size` bytes. */
export function jsonInputTooLargeText(input: string, size: number | bigint, limit: number): string {
  return `JSON input '${input}' has a byte_size (${size} bytes) that exceeds the maximum allowed value of ${limit} bytes. ${ADVICE}`;
}

/** Text of the 400 for a raw binary body of `size` bytes. */
export function rawInputTooLargeText(size: number, limit: number): string {
  return `Raw input has a byte_size (${size} bytes) that exceeds the maximum allowed value of ${limit} bytes. ${ADVICE}`;
}

/** Text of the 400 for a body that grows beyond the limit while it is decompressed. */
export function decompressedTooLargeText(limit: number): string {
  return `Decompressed data size exceeds the maximum allowed value of ${limit} bytes. ${ADVICE}`;
}
