import { malformed } from "./malformed.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text of a string field; proto3 demands well-formed UTF-8. */
export function readUtf8(bytes: Buffer, { start, end, name }: { start: number; end: number; name: string }): string {
  if (start === end) return "";
  let all = 0;
  for (let at = start; at < end; at += 1) all |= bytes[at] ?? 0;
  if (all < 0x80) return bytes.toString("latin1", start, end);
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    throw malformed(`${name} is not UTF-8`);
  }
}
