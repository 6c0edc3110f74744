import { isUtf8 } from "node:buffer";
import { NereidError } from "@nereid/errors";
import { BytesWalk, checkBytesElements } from "@nereid/protocol";

const PREFIX_BYTES = 4;
const NUL = 0;

/** Bytes up to which a text is looked at byte by byte. */
const SCANNED = 256;

/** ASCII but NUL. */
const PLAIN = new Uint8Array(256).fill(1, 1, 0x80);

/**
 * BYTES elements as the strings the engine takes. The engine keeps strings as NUL-terminated UTF-8, so an element with a
 * NUL or with bytes that are not UTF-8 would be changed silently: those are refused (INVALID_ARGUMENT).
 */
export function stringsFromBytes(bytes: Uint8Array, name: string, count: number): string[] {
  checkBytesElements(bytes, { count, inputName: name, modelName: "", requestId: "" });
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const strings: string[] = [];
  const walk = new BytesWalk(bytes);
  while (walk.next()) strings.push(textAt(content, walk, name));
  return strings;
}

function textAt(content: Buffer, { start, length, count }: BytesWalk, name: string): string {
  const end = start + length;
  const last = length <= SCANNED ? end : start;
  let at = start;
  // For short texts a loop is several times faster than the calls into native code.
  while (at < last && PLAIN[content[at] as number] === 1) at += 1;
  if (at === end) return content.toString("latin1", start, end);
  if (content.subarray(at, end).includes(NUL)) throw refused(name, count - 1, "contains a NUL byte");
  const text = content.toString("utf8", start, end);
  // Wrong bytes become U+FFFD, which may also be what the client sent.
  if (text.includes("\ufffd") && !isUtf8(content.subarray(start, end))) {
    throw refused(name, count - 1, "is not valid UTF-8");
  }
  return text;
}

/** BYTES tensor of the engine's strings. */
export function bytesFromStrings(strings: readonly string[]): Uint8Array {
  let total = 0;
  for (const text of strings) total += PREFIX_BYTES + Buffer.byteLength(text);
  const out = Buffer.allocUnsafeSlow(total);
  let at = 0;
  for (const text of strings) {
    const length = out.write(text, at + PREFIX_BYTES);
    out.writeUInt32LE(length, at);
    at += PREFIX_BYTES + length;
  }
  return out;
}

function refused(name: string, index: number, why: string): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `element ${index} of BYTES input '${name}' ${why}, and ONNX string tensors cannot hold it; send base64 text or declare the input as UINT8`,
  );
}
