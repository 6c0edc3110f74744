import { parseModelVersion, peekInferHead } from "@nereid/grpc";
import type { ServerContext } from "../server-context.ts";
import type { MessageRoom } from "./read-messages.ts";

const ALIGNMENT = 64;

/**
 * Shared memory for one large ModelInferRequest of which `head` is the beginning, placed so that its first raw tensor starts at a
 * multiple of 64: a lone request is executed where it was received. Undefined when the head names no model or there is no room.
 */
export function placeForMessage(context: ServerContext, length: number, head: Uint8Array): MessageRoom | undefined {
  const found = peekInferHead(head);
  if (found === undefined || context.manager.entry(found.modelName) === undefined) return undefined;
  try {
    const served = context.manager.resolve(found.modelName, parseModelVersion(found.modelVersion));
    const block = served.reserve(length + ALIGNMENT);
    if (block === undefined) return undefined;
    const skip = (ALIGNMENT - (found.tensorOffset % ALIGNMENT)) % ALIGNMENT;
    return { bytes: block.bytes.subarray(skip, skip + length), release: () => block.release() };
  } catch {
    // An unknown version or full memory is answered when the message is there.
    return undefined;
  }
}
