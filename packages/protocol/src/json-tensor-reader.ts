import { NereidError } from "@nereid/errors";
import { byteSizeOf, type JsonDatatype } from "./datatype.ts";
import { accessError } from "./json-access.ts";
import { walkJsonArray } from "./json-array-walk.ts";
import type { JsonSpan } from "./json-document.ts";
import { JsonScanner, startsNumber } from "./json-scanner.ts";
import type { Sliced } from "./slices.ts";

const CHUNK = 4096;
const WORD = 2 ** 32;
const HALF_WORD = 2 ** 31;

export interface JsonTensorSource {
  /** Bytes of the whole document. */
  readonly document: Uint8Array;
  /** Where the `data` array lies in it. */
  readonly span: JsonSpan;
  readonly datatype: JsonDatatype;
  /** Number of elements the shape asks for, above 0. */
  readonly count: number;
  /** Limit of the result for BYTES, in bytes, and the error beyond it. */
  readonly maxBytes: number;
  readonly tooLarge: (byteSize: number) => NereidError;
}

/**
 * Little-endian bytes of a JSON `data` array, nested or flat, depth-first (http.md §7). Integers of narrow types wrap.
 * Throws INTERNAL for wrong syntax, types or count. Assumes a little-endian machine, as all of Node's platforms but s390x.
 */
export function* readJsonTensor(source: JsonTensorSource): Sliced<Uint8Array> {
  const { span, datatype, count } = source;
  // Every element but the last takes two bytes at least; this keeps a huge shape from reserving memory for nothing.
  if (span.end - span.start < 2 * count) throw tooFew();
  const scanner = new JsonScanner(source.document.subarray(0, span.end), span.start);
  if (datatype === "BYTES") return yield* readStrings(scanner, source);
  const target = new ArrayBuffer(count * byteSizeOf(datatype));
  switch (datatype) {
    case "BOOL":
      yield* readBooleans(scanner, new Uint8Array(target));
      break;
    case "INT64":
    case "UINT64":
      yield* readLongs(scanner, new Uint32Array(target), datatype === "UINT64");
      break;
    default:
      yield* readNumbers(scanner, NUMBER_VIEWS[datatype](target), elementReader(scanner, datatype));
  }
  return new Uint8Array(target);
}

type NumberArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;

type NumberDatatype = "FP32" | "FP64" | "INT8" | "INT16" | "INT32" | "UINT8" | "UINT16" | "UINT32";

const NUMBER_VIEWS: Readonly<Record<NumberDatatype, (buffer: ArrayBuffer) => NumberArray>> = {
  FP32: (buffer) => new Float32Array(buffer),
  FP64: (buffer) => new Float64Array(buffer),
  INT8: (buffer) => new Int8Array(buffer),
  INT16: (buffer) => new Int16Array(buffer),
  INT32: (buffer) => new Int32Array(buffer),
  UINT8: (buffer) => new Uint8Array(buffer),
  UINT16: (buffer) => new Uint16Array(buffer),
  UINT32: (buffer) => new Uint32Array(buffer),
};

function* readNumbers(scanner: JsonScanner, target: NumberArray, read: (byte: number) => number): Sliced<void> {
  // One kind of array in the hot loop; `set` converts (and wraps) natively.
  const chunk = new Float64Array(Math.min(CHUNK, target.length));
  let filled = 0;
  let written = 0;
  yield* walkJsonArray(scanner, (byte) => {
    if (written + filled >= target.length) throw tooMany();
    chunk[filled] = read(byte);
    filled += 1;
    if (filled === chunk.length) {
      target.set(chunk.subarray(0, filled), written);
      written += filled;
      filled = 0;
    }
  });
  target.set(chunk.subarray(0, filled), written);
  if (written + filled < target.length) throw tooFew();
}

function elementReader(scanner: JsonScanner, datatype: NumberDatatype): (byte: number) => number {
  if (datatype === "FP32" || datatype === "FP64") {
    return (byte) => (startsNumber(byte) ? scanner.readNumber() : mismatch(scanner, "number", "double"));
  }
  const unsigned = datatype.startsWith("U");
  return (byte) => {
    const start = scanner.at;
    const value = readInteger(scanner, byte, unsigned);
    if (Number.isSafeInteger(value)) return value;
    // Types of 32 bits and less wrap: only the low word matters.
    return longOf(scanner, start, unsigned).low;
  };
}

function* readLongs(scanner: JsonScanner, target: Uint32Array, unsigned: boolean): Sliced<void> {
  let at = 0;
  yield* walkJsonArray(scanner, (byte) => {
    if (at >= target.length) throw tooMany();
    const start = scanner.at;
    const value = readInteger(scanner, byte, unsigned);
    if (Number.isSafeInteger(value)) {
      target[at] = value >>> 0;
      target[at + 1] = Math.floor(value / WORD) >>> 0;
    } else {
      const { low, high } = longOf(scanner, start, unsigned);
      target[at] = low;
      target[at + 1] = high;
    }
    at += 2;
  });
  if (at < target.length) throw tooFew();
}

function readInteger(scanner: JsonScanner, byte: number, unsigned: boolean): number {
  if (!startsNumber(byte)) return mismatch(scanner, integerKind(unsigned), integerKind(unsigned));
  const value = scanner.readNumber(true);
  if (!scanner.integer || (unsigned && value < 0)) throw integerMismatch(unsigned);
  return value;
}

/** 64-bit two's complement of the integer read from `start`, in two words. Throws when it is out of range. */
function longOf(
  scanner: JsonScanner,
  start: number,
  unsigned: boolean,
): { readonly low: number; readonly high: number } {
  const { bytes, at } = scanner;
  const negative = bytes[start] === 0x2d;
  let low = 0;
  let high = 0;
  for (let index = negative ? start + 1 : start; index < at; index += 1) {
    const sum = low * 10 + (bytes[index] as number) - 0x30;
    low = sum >>> 0;
    high = high * 10 + Math.floor(sum / WORD);
    if (high >= WORD) throw integerMismatch(unsigned);
  }
  if (unsigned) return { low, high };
  if (high >= HALF_WORD && !(negative && high === HALF_WORD && low === 0)) throw integerMismatch(unsigned);
  if (!negative) return { low, high };
  return { low: -low >>> 0, high: (low === 0 ? -high : ~high) >>> 0 };
}

function* readBooleans(scanner: JsonScanner, target: Uint8Array): Sliced<void> {
  let at = 0;
  yield* walkJsonArray(scanner, (byte) => {
    if (at >= target.length) throw tooMany();
    if (byte === 0x74 && scanner.takeWord("true")) target[at] = 1;
    else if (!(byte === 0x66 && scanner.takeWord("false"))) mismatch(scanner, "boolean", "boolean");
    at += 1;
  });
  if (at < target.length) throw tooFew();
}

function* readStrings(scanner: JsonScanner, source: JsonTensorSource): Sliced<Uint8Array> {
  // An element takes three bytes or more of text (quotes and a comma) for four of length prefix.
  const room = Math.ceil(((source.span.end - source.span.start) * 4) / 3) + 4;
  const out = Buffer.allocUnsafeSlow(Math.min(room, source.maxBytes));
  let to = 0;
  let seen = 0;
  yield* walkJsonArray(scanner, (byte) => {
    if (seen >= source.count) throw accessError("data", "shape does not match true shape of 'data' field");
    if (byte !== 0x22) mismatch(scanner, "string", "string");
    const text = scanner.readStringBytes();
    if (to + 4 + text.length > out.length) throw source.tooLarge(to + 4 + text.length);
    out.writeUInt32LE(text.length, to);
    out.set(text, to + 4);
    to += 4 + text.length;
    seen += 1;
  });
  if (seen < source.count) throw tooFew();
  return out.subarray(0, to);
}

function integerKind(unsigned: boolean): string {
  return unsigned ? "unsigned-integer" : "signed-integer";
}

function integerMismatch(unsigned: boolean): NereidError {
  const kind = integerKind(unsigned);
  return accessError("data", `attempt to access JSON non-${kind} as ${kind}`);
}

function mismatch(scanner: JsonScanner, not: string, wanted: string): never {
  const byte = scanner.peek();
  const otherValue =
    startsNumber(byte) || byte === 0x22 || byte === 0x7b || /^(true|false|null)/.test(nextText(scanner));
  if (!otherValue) return scanner.fail("Invalid value.");
  throw accessError("data", `attempt to access JSON non-${not} as ${wanted}`);
}

function nextText(scanner: JsonScanner): string {
  return scanner.bytes.toString("latin1", scanner.at, scanner.at + 5);
}

function tooMany(): NereidError {
  return accessError("data", "Shape does not match true shape of 'data' field");
}

function tooFew(): NereidError {
  return new NereidError("INTERNAL", "Failed to parse 'data' field: shape does not match true shape");
}
