import { NereidError } from "@nereid/errors";

/**
 * A message that is no protobuf message of its type. gRPC libraries answer INTERNAL here, which reads as a fault of the server;
 * the bytes are the client's, so it is INVALID_ARGUMENT.
 */
export function malformed(why: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `the message cannot be parsed: ${why}`);
}
