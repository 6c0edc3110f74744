import { isUtf8 } from "node:buffer";
import { SLICE_BYTES, type Sliced } from "./slices.ts";

/** Whether the bytes are UTF-8, as `isUtf8` of node:buffer says. */
export function* isUtf8InSlices(bytes: Uint8Array): Sliced<boolean> {
  for (let from = 0; from < bytes.length; ) {
    const to = utf8Cut(bytes, from + SLICE_BYTES);
    if (!isUtf8(bytes.subarray(from, to))) return false;
    from = to;
    yield;
  }
  return true;
}

/** The last offset up to `end` that does not split a character of UTF-8 text; the length when `end` is beyond it. */
function utf8Cut(bytes: Uint8Array, end: number): number {
  if (end >= bytes.length) return bytes.length;
  let cut = end;
  // A character has three continuation bytes at most; more of them are wrong wherever the cut is.
  while (end - cut < 3 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}
