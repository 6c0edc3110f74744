import { NereidError } from "@nereid/errors";

/**
 * Value of Inference-Header-Content-Length: bytes of JSON before the blobs; undefined when the header is absent.
 * Throws INVALID_ARGUMENT when it is no number or outside the body (http.md §7).
 */
export function parseHeaderLength(value: string | undefined, bodyLength: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (!/^[+-]?\d+$/.test(text)) {
    throw new NereidError("INVALID_ARGUMENT", `Unable to parse Inference-Header-Content-Length, got: ${value}`);
  }
  const length = Number(text);
  if (length < 0 || length > bodyLength) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `inference header size should be in range (0, ${bodyLength}), got: ${text}`,
    );
  }
  return length;
}
