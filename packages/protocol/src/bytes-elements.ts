import { NereidError } from "@nereid/errors";
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

/** Elements of a BYTES tensor as views. Throws INVALID_ARGUMENT when their number or their lengths are wrong. */
export function readBytesElements(bytes: Uint8Array, context: BytesTensorContext): Uint8Array[] {
  const elements: Uint8Array[] = [];
  const { count, inputName, modelName } = context;
  const of = `for inference input '${inputName}' for model '${modelName}'`;
  const refuse = (text: string) => new NereidError("INVALID_ARGUMENT", requestIdPrefix(context.requestId) + text);
  let at = 0;
  while (at < bytes.length) {
    if (elements.length >= count) {
      throw refuse(`unexpected number of string elements ${elements.length + 1} ${of}, expecting ${count}`);
    }
    const left = bytes.length - at - PREFIX_BYTES;
    if (left < 0)
      throw refuse(
        `incomplete string length indicator ${of}, expecting ${PREFIX_BYTES} bytes but only ${left + PREFIX_BYTES} bytes available`,
      );
    const length = lengthAt(bytes, at);
    if (length > left) {
      throw refuse(
        `incomplete string data ${of}, expecting string of length ${length} but only ${left} bytes available`,
      );
    }
    at += PREFIX_BYTES;
    elements.push(bytes.subarray(at, at + length));
    at += length;
  }
  if (elements.length !== count) throw refuse(`expected ${count} string elements ${of}, got ${elements.length}`);
  return elements;
}

/** Number of whole elements; undefined when the bytes end inside one. */
export function countBytesElements(bytes: Uint8Array): number | undefined {
  let count = 0;
  let at = 0;
  while (at < bytes.length) {
    if (at + PREFIX_BYTES > bytes.length) return undefined;
    at += PREFIX_BYTES + lengthAt(bytes, at);
    count += 1;
  }
  return at === bytes.length ? count : undefined;
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

function lengthAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return low + (bytes[at + 3] ?? 0) * 0x100_0000;
}
