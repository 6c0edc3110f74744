/** Bits of the code of each octet, and of the end of a string behind them (RFC 7541, appendix B). Codes of one length follow each other, as octets do. */
// biome-ignore format: a table
const CODE_BITS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];
const END = 256;
const LONGEST = 30;

/** For each length: its first code, and its octets in the order of their codes. */
const BY_LENGTH = codesByLength();

function codesByLength(): readonly { readonly first: number; readonly octets: readonly number[] }[] {
  let next = 0;
  return Array.from({ length: LONGEST + 1 }, (_, bits) => {
    const octets = CODE_BITS.flatMap((of, octet) => (of === bits ? [octet] : []));
    const first = next * 2;
    next = first + octets.length;
    return { first, octets };
  });
}

/** A string of HPACK's Huffman code. Throws on one that no encoder writes: the end within it, or more than seven bits left over. */
export function decodeHuffman(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  let code = 0;
  let bits = 0;
  for (const byte of bytes) {
    for (let at = 7; at >= 0; at -= 1) {
      code = code * 2 + ((byte >> at) & 1);
      bits += 1;
      const { first, octets } = BY_LENGTH[bits] ?? { first: 0, octets: [] };
      const octet = octets[code - first];
      if (octet === undefined) continue;
      if (octet === END) throw new Error("a header has the end of a Huffman string within it");
      out.push(octet);
      code = 0;
      bits = 0;
    }
  }
  if (bits > 7 || code !== 2 ** bits - 1) throw new Error("a header's Huffman string ends within a code");
  return Buffer.from(out);
}
