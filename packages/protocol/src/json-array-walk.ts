import { type JsonScanner, MAX_JSON_DEPTH, nestingError } from "./json-scanner.ts";
import { failClosing } from "./json-skip.ts";
import { SLICE_BYTES, SLICE_ELEMENTS, type Sliced } from "./slices.ts";

/** Calls `visit` at the first byte of every element that is no array; it must consume the element. */
export function* walkJsonArray(scanner: JsonScanner, visit: (byte: number) => void): Sliced<void> {
  let depth = 1;
  scanner.at += 1;
  let mayClose = true;
  let left = SLICE_ELEMENTS;
  let pauseAt = scanner.at + SLICE_BYTES;
  for (;;) {
    const byte = scanner.peek();
    if (byte === 0x5b) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw nestingError();
      scanner.at += 1;
      mayClose = true;
      continue;
    }
    if (byte !== 0x5d || !mayClose) visit(byte);
    else {
      scanner.at += 1;
      depth -= 1;
    }
    while (depth > 0 && !scanner.take(0x2c)) {
      if (!scanner.take(0x5d)) failClosing(scanner, 0x5d);
      depth -= 1;
    }
    if (depth === 0) return;
    mayClose = false;
    left -= 1;
    if (left === 0 || scanner.at >= pauseAt) {
      left = SLICE_ELEMENTS;
      pauseAt = scanner.at + SLICE_BYTES;
      yield;
    }
  }
}
