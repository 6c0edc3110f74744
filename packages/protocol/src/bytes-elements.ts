import { NereidError } from "@nereid/errors";
import { BytesWalk, lengthAt } from "./bytes-walk.ts";
import { requestIdPrefix } from "./request-id.ts";

const PREFIX_BYTES = 4;

/** What the error texts name (http.md §17). */
export interface BytesTensorContext {
  /** Number of elements the shape asks for. */
  readonly count: number;
  readonly inputName: string;
  readonly modelName: string;
  /** Id of the request, for the prefix. */
  readonly requestId: string;
}

/**
 * Checks the number and the lengths of a BYTES tensor's elements, building nothing. Throws INVALID_ARGUMENT with Triton's
 * texts.
 */
export function checkBytesElements(bytes: Uint8Array, context: BytesTensorContext): void {
  const { count } = context;
  const walk = new BytesWalk(bytes);
  while (walk.count < count && walk.next());
  if (walk.count === count && walk.rest === 0) return;
  throw refusal(bytes, walk, context);
}

function refusal(bytes: Uint8Array, walk: BytesWalk, { count, inputName, modelName, requestId }: BytesTensorContext) {
  const of = `for inference input '${inputName}' for model '${modelName}'`;
  const refuse = (text: string) => new NereidError("INVALID_ARGUMENT", requestIdPrefix(requestId) + text);
  const { rest } = walk;
  if (rest === 0) return refuse(`expected ${count} string elements ${of}, got ${walk.count}`);
  if (walk.count >= count) {
    return refuse(`unexpected number of string elements ${walk.count + 1} ${of}, expecting ${count}`);
  }
  if (rest < PREFIX_BYTES) {
    return refuse(
      `incomplete string length indicator ${of}, expecting ${PREFIX_BYTES} bytes but only ${rest} bytes available`,
    );
  }
  const length = lengthAt(bytes, bytes.length - rest);
  return refuse(
    `incomplete string data ${of}, expecting string of length ${length} but only ${rest - PREFIX_BYTES} bytes available`,
  );
}

/** Elements of a BYTES tensor as views. Throws INVALID_ARGUMENT when their number or their lengths are wrong. */
export function readBytesElements(bytes: Uint8Array, context: BytesTensorContext): Uint8Array[] {
  checkBytesElements(bytes, context);
  const elements: Uint8Array[] = [];
  const walk = new BytesWalk(bytes);
  while (walk.next()) elements.push(bytes.subarray(walk.start, walk.start + walk.length));
  return elements;
}

/** Number of whole elements; undefined when the bytes end inside one. */
export function countBytesElements(bytes: Uint8Array): number | undefined {
  const walk = new BytesWalk(bytes);
  while (walk.next());
  return walk.rest === 0 ? walk.count : undefined;
}

/** BYTES tensor of these elements; texts as UTF-8. */
export function writeBytesElements(elements: readonly (Uint8Array | string)[]): Buffer {
  const size = (element: Uint8Array | string) =>
    typeof element === "string" ? Buffer.byteLength(element) : element.length;
  const total = elements.reduce((sum, element) => sum + PREFIX_BYTES + size(element), 0);
  const out = Buffer.allocUnsafe(total);
  let at = 0;
  for (const element of elements) {
    at = out.writeUInt32LE(size(element), at);
    if (typeof element === "string") at += out.write(element, at);
    else {
      out.set(element, at);
      at += element.length;
    }
  }
  return out;
}
