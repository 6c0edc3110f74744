import { NereidError } from "@nereid/errors";
import { exactDecimal } from "./json-number.ts";
import { unescapeJsonString } from "./json-string.ts";

/** Deepest nesting of arrays and objects, as in Triton (http.md §7). */
export const MAX_JSON_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

const SHORT_STRING = 32;

const SPECIALS: readonly (readonly [string, number])[] = [
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["Inf", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-Inf", Number.NEGATIVE_INFINITY],
];

/**
 * Reads JSON tokens from UTF-8 bytes the way Triton's parser does: bare NaN, Inf, Infinity, -Inf and -Infinity are
 * numbers, lone surrogates are errors. Every syntax error is INTERNAL (500) and names the byte offset.
 */
export class JsonScanner {
  readonly bytes: Buffer;
  /** Offset of the next byte. */
  at: number;
  /** Whether the number read last had neither fraction nor exponent. */
  integer = false;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = asBuffer(bytes);
    this.at = at;
  }

  /** The next byte that is not white space, not consumed; -1 at the end. */
  peek(): number {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === undefined) return -1;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return byte;
      this.at += 1;
    }
  }

  /** Consumes this byte after white space, or says that it is not there. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Consumes a word such as `true` at the current offset, or says that it is not there. */
  takeWord(word: string): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.bytes[this.at + index] !== word.charCodeAt(index)) return false;
    }
    this.at += word.length;
    return true;
  }

  fail(text: string): never {
    throw new NereidError("INTERNAL", `failed to parse the request JSON buffer: ${text} at ${this.at}`);
  }

  /**
   * The number at the current offset; `integer` tells its form. With `roughIntegers` integers above 2^53 are only
   * roughly right (and never safe integers): their exact digits are `bytes` from the old `at` to the new one.
   */
  readNumber(roughIntegers = false): number {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    let byte = bytes[at];
    const negative = byte === MINUS;
    if (negative) byte = bytes[++at];
    if (byte === undefined || byte < ZERO || byte > NINE) return this.#readSpecial();
    let mantissa = byte - ZERO;
    byte = bytes[++at];
    if (mantissa !== 0) {
      while (byte !== undefined && byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        byte = bytes[++at];
      }
    }
    let scale = 0;
    this.integer = true;
    if (byte === DOT) {
      const first = at + 1;
      byte = bytes[++at];
      while (byte !== undefined && byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        byte = bytes[++at];
      }
      if (at === first) return this.#failAt(at, "Miss fraction part in number.");
      scale = first - at;
      this.integer = false;
    }
    if (byte === 0x65 || byte === 0x45) {
      this.integer = false;
      byte = bytes[++at];
      const down = byte === MINUS;
      if (down || byte === PLUS) byte = bytes[++at];
      const first = at;
      let exponent = 0;
      while (byte !== undefined && byte >= ZERO && byte <= NINE) {
        exponent = exponent * 10 + (byte - ZERO);
        byte = bytes[++at];
      }
      if (at === first) return this.#failAt(at, "Miss exponent in number.");
      scale += down ? -exponent : exponent;
    }
    this.at = at;
    const value = exactDecimal(mantissa, scale);
    if (value !== undefined) return negative ? -value : value;
    if (roughIntegers && this.integer) return negative ? -mantissa : mantissa;
    const slow = Number(bytes.toString("latin1", start, at));
    if (!Number.isFinite(slow)) return this.#failAt(start, "Number too big to be stored in double.");
    return slow;
  }

  /**
   * Passes over the string at the current offset (a quote); the offsets of its raw content stay in the returned pair.
   * Control characters are errors; escapes are checked when they are decoded.
   */
  skipString(): { readonly from: number; readonly to: number; readonly escaped: boolean } {
    const { bytes } = this;
    const from = this.at + 1;
    let at = from;
    let escaped = false;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) return this.#failAt(from - 1, "Missing a closing quotation mark in string.");
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        escaped = true;
        at += 2;
        continue;
      }
      if (byte < 0x20) return this.#failAt(at, "Invalid encoding in string.");
      at += 1;
    }
    this.at = at + 1;
    return { from, to: at, escaped };
  }

  /** The UTF-8 bytes of the string at the current offset: a view where it has no escapes. */
  readStringBytes(): Uint8Array {
    const { from, to, escaped } = this.skipString();
    const raw = this.bytes.subarray(from, to);
    return escaped ? unescapeJsonString(raw, (offset, text) => this.#failAt(from + offset, text)) : raw;
  }

  readString(): string {
    const start = this.at;
    const { from, to, escaped } = this.skipString();
    if (escaped) {
      this.at = start;
      return asBuffer(this.readStringBytes()).toString("utf8");
    }
    return to - from <= SHORT_STRING ? this.#shortString(from, to) : this.bytes.toString("utf8", from, to);
  }

  /** For names and the like a loop is several times faster than the native decoder. */
  #shortString(from: number, to: number): string {
    const { bytes } = this;
    let text = "";
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) return bytes.toString("utf8", from, to);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #readSpecial(): number {
    for (const [word, value] of SPECIALS) {
      if (this.takeWord(word)) {
        this.integer = false;
        return value;
      }
    }
    return this.fail("Invalid value.");
  }

  #failAt(at: number, text: string): never {
    this.at = at;
    return this.fail(text);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether a byte can begin a number (bare NaN and Infinity included). */
export function startsNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === MINUS || byte === 0x4e || byte === 0x49;
}

export function nestingError(): NereidError {
  return new NereidError("INVALID_ARGUMENT", `JSON nesting depth exceeds maximum allowed limit (${MAX_JSON_DEPTH})`);
}
