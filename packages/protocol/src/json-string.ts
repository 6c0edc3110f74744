const SIMPLE: Readonly<Record<number, number>> = {
  34: 0x22,
  92: 0x5c,
  47: 0x2f,
  98: 0x08,
  102: 0x0c,
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
};

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

type Fail = (offset: number, text: string) => never;

/**
 * UTF-8 bytes of a JSON string's raw content (between the quotes). `fail` is called with the offset in `raw` of a wrong
 * escape or a surrogate without its partner.
 */
export function unescapeJsonString(raw: Uint8Array, fail: Fail): Uint8Array {
  // An escape is never shorter than what it stands for, so the raw length is enough room.
  const out = new Uint8Array(raw.length);
  let to = 0;
  let at = 0;
  while (at < raw.length) {
    const byte = raw[at] as number;
    if (byte !== BACKSLASH) {
      out[to++] = byte;
      at += 1;
      continue;
    }
    const kind = raw[at + 1] ?? 0;
    if (kind !== LETTER_U) {
      const plain = SIMPLE[kind];
      if (plain === undefined) return fail(at, "Invalid escape character in string.");
      out[to++] = plain;
      at += 2;
      continue;
    }
    let code = hexUnit(raw, at, fail);
    let next = at + 6;
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = code < 0xdc00 && raw[next] === BACKSLASH && raw[next + 1] === LETTER_U ? hexUnit(raw, next, fail) : 0;
      if (low < 0xdc00 || low > 0xdfff) return fail(at, "The surrogate pair in string is invalid.");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      next += 6;
    }
    to = writeCodePoint(out, to, code);
    at = next;
  }
  return out.subarray(0, to);
}

function hexUnit(raw: Uint8Array, at: number, fail: Fail): number {
  let code = 0;
  for (let index = at + 2; index < at + 6; index += 1) {
    const digit = hexDigit(raw[index] ?? 0);
    if (digit < 0) return fail(at, "Incorrect hex digit after \\u escape in string.");
    code = code * 16 + digit;
  }
  return code;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

function writeCodePoint(out: Uint8Array, at: number, code: number): number {
  let to = at;
  if (code < 0x80) {
    out[to++] = code;
  } else if (code < 0x800) {
    out[to++] = 0xc0 | (code >> 6);
    out[to++] = 0x80 | (code & 0x3f);
  } else if (code < 0x10000) {
    out[to++] = 0xe0 | (code >> 12);
    out[to++] = 0x80 | ((code >> 6) & 0x3f);
    out[to++] = 0x80 | (code & 0x3f);
  } else {
    out[to++] = 0xf0 | (code >> 18);
    out[to++] = 0x80 | ((code >> 12) & 0x3f);
    out[to++] = 0x80 | ((code >> 6) & 0x3f);
    out[to++] = 0x80 | (code & 0x3f);
  }
  return to;
}
