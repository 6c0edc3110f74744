import { type JsonScanner, MAX_JSON_DEPTH, nestingError, startsNumber } from "./json-scanner.ts";
import { SLICE_BYTES, SLICE_ELEMENTS, type Sliced } from "./slices.ts";

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Bytes that matter when only brackets are matched: 1 opens, 2 closes, 3 quotes. */
const STRUCTURE = new Uint8Array(256);
STRUCTURE[OPEN_ARRAY] = STRUCTURE[OPEN_OBJECT] = 1;
STRUCTURE[CLOSE_ARRAY] = STRUCTURE[CLOSE_OBJECT] = 2;
STRUCTURE[QUOTE] = 3;

/**
 * Passes over the array at the current offset by matching brackets only: whoever converts the span later checks its
 * grammar. Throws INVALID_ARGUMENT when it is nested too deep, INTERNAL when it does not end.
 */
export function* skipBrackets(scanner: JsonScanner): Sliced<void> {
  const { bytes } = scanner;
  let depth = 0;
  let { at } = scanner;
  let pauseAt = at + SLICE_BYTES;
  for (;;) {
    while (at < pauseAt && STRUCTURE[bytes[at] as number] === 0) at += 1;
    if (at >= pauseAt) {
      pauseAt = at + SLICE_BYTES;
      yield;
      continue;
    }
    const kind = STRUCTURE[bytes[at] as number];
    scanner.at = at;
    if (kind === undefined) scanner.fail("Missing a comma or ] after an array element.");
    if (kind === 3) {
      scanner.skipString();
      at = scanner.at;
      continue;
    }
    depth += kind === 1 ? 1 : -1;
    if (depth > MAX_JSON_DEPTH) throw nestingError();
    at += 1;
    if (depth === 0) break;
  }
  scanner.at = at;
}

/** Passes over any value and checks its grammar; `depth` is that of the value itself. */
export function* skipValue(scanner: JsonScanner, depth: number): Sliced<void> {
  const closers: number[] = [];
  let left = SLICE_ELEMENTS;
  let pauseAt = scanner.at + SLICE_BYTES;
  for (;;) {
    const byte = scanner.peek();
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (depth + closers.length > MAX_JSON_DEPTH) throw nestingError();
      const close = byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT;
      scanner.at += 1;
      if (!scanner.take(close)) {
        closers.push(close);
        if (close === CLOSE_OBJECT) skipKey(scanner);
        continue;
      }
    } else skipScalar(scanner);
    let close = closers.at(-1);
    while (close !== undefined && !scanner.take(COMMA)) {
      if (!scanner.take(close)) failClosing(scanner, close);
      closers.pop();
      close = closers.at(-1);
    }
    if (close === undefined) return;
    if (close === CLOSE_OBJECT) skipKey(scanner);
    left -= 1;
    if (left === 0 || scanner.at >= pauseAt) {
      left = SLICE_ELEMENTS;
      pauseAt = scanner.at + SLICE_BYTES;
      yield;
    }
  }
}

/** Passes over a value that is neither array nor object. */
export function skipScalar(scanner: JsonScanner): void {
  const byte = scanner.peek();
  if (byte === QUOTE) passString(scanner);
  else if (startsNumber(byte)) scanner.readNumber(true);
  else if (!(scanner.takeWord("true") || scanner.takeWord("false") || scanner.takeWord("null"))) {
    scanner.fail("Invalid value.");
  }
}

/** Passes over a member name and its colon; escapes are not checked. Gives the place of the name. */
export function passKey(scanner: JsonScanner): ReturnType<JsonScanner["skipString"]> {
  if (scanner.peek() !== QUOTE) scanner.fail("Missing a name for object member.");
  const place = scanner.skipString();
  if (!scanner.take(COLON)) scanner.fail("Missing a colon after a name of object member.");
  return place;
}

function skipKey(scanner: JsonScanner): void {
  scanner.peek();
  const start = scanner.at;
  if (!passKey(scanner).escaped) return;
  scanner.at = start;
  readKey(scanner);
}

function passString(scanner: JsonScanner): void {
  const start = scanner.at;
  if (!scanner.skipString().escaped) return;
  scanner.at = start;
  scanner.readStringBytes();
}

/** The member name before the current value, and its colon. */
export function readKey(scanner: JsonScanner): string {
  if (scanner.peek() !== QUOTE) scanner.fail("Missing a name for object member.");
  const key = scanner.readString();
  if (!scanner.take(COLON)) scanner.fail("Missing a colon after a name of object member.");
  return key;
}

export function failClosing(scanner: JsonScanner, close: number): never {
  return close === CLOSE_OBJECT
    ? scanner.fail("Missing a comma or } after an object member.")
    : scanner.fail("Missing a comma or ] after an array element.");
}
