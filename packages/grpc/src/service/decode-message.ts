import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { malformed } from "../wire/malformed.ts";

/** Reads a message of a generated type; unknown fields are dropped. INVALID_ARGUMENT when the bytes are no such message. */
export function decodeMessage<T extends DescMessage>(schema: T, bytes: Uint8Array): MessageShape<T> {
  try {
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}
