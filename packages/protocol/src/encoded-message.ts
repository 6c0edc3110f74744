import type { EncodedMessage } from "./infer-types.ts";

/** The message of a JSON part and its blobs, none of them empty. */
export function encodedMessage(json: Buffer<ArrayBuffer>, blobs: readonly Uint8Array[]): EncodedMessage {
  if (blobs.length === 0) return { json, blobs, contentType: "application/json" };
  return { json, blobs, contentType: "application/octet-stream", headerLength: json.length };
}
