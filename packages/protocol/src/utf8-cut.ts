/** The last offset up to `end` that does not split a character of UTF-8 text; the length when `end` is beyond it. */
export function utf8Cut(bytes: Uint8Array, end: number): number {
  if (end >= bytes.length) return bytes.length;
  let cut = end;
  // A character has three continuation bytes at most; more of them are wrong wherever the cut is.
  while (end - cut < 3 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}
