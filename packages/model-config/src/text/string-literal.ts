/** The text of a string literal, or what is wrong with it and where (offset relative to the literal). */
export type DecodedString =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly at: number; readonly length: number; readonly message: string };

const SIMPLE: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([nrtabfv\\'"?]))/y;
const ENCODER = new TextEncoder();

/** Decodes one literal including its quotes into UTF-8 bytes. */
export function decodeLiteral(literal: string): DecodedString {
  const close = literal.length > 1 && literal.at(-1) === literal[0] ? literal.length - 1 : literal.length;
  const chunks: Uint8Array[] = [];
  let at = 1;
  while (at < close) {
    const backslash = literal.indexOf("\\", at);
    const end = backslash === -1 || backslash >= close ? close : backslash;
    const plain = literal.slice(at, end);
    const nul = plain.indexOf("\0");
    if (nul !== -1) return { ok: false, at: at + nul, length: 1, message: "a string cannot contain a NUL; write \\0" };
    chunks.push(ENCODER.encode(plain));
    at = end;
    if (at >= close) break;
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(literal);
    const bytes = match === null ? undefined : escapeBytes(match);
    if (match === null || bytes === undefined) {
      const shown = match?.[0] ?? literal.slice(at, at + 2);
      return {
        ok: false,
        at,
        length: shown.length,
        message: `\`${shown}\` is not an escape; write \\\\ for a backslash`,
      };
    }
    chunks.push(bytes);
    at += match[0].length;
  }
  return { ok: true, bytes: concat(chunks) };
}

function escapeBytes(match: RegExpExecArray): Uint8Array | undefined {
  const [, hex, short, long, octal, simple] = match;
  if (simple !== undefined) return Uint8Array.of(SIMPLE[simple] ?? 0);
  if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
  if (octal !== undefined) {
    const value = Number.parseInt(octal, 8);
    return value > 255 ? undefined : Uint8Array.of(value);
  }
  const code = Number.parseInt(short ?? long ?? "", 16);
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return ENCODER.encode(String.fromCodePoint(code));
}

/** Joins byte chunks. */
export function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A string as a text format literal in double quotes. */
export function quote(value: string): string {
  const escaped = value.replace(/["\\]|\p{Cc}/gu, (char) => {
    const named = NAMED_ESCAPES[char];
    if (named !== undefined) return named;
    const code = char.charCodeAt(0);
    // Octal escapes are bytes: above 0x7f they would not be UTF-8.
    return code > 0x7f ? char : `\\${code.toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
