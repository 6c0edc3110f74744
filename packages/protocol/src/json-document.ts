import { isUtf8 } from "node:buffer";
import { containerFor, type JsonContainer, type Wanted } from "./json-container.ts";
import { JsonScanner, startsNumber } from "./json-scanner.ts";
import type { JsonSchema } from "./json-schema.ts";
import { failClosing, skipBrackets, skipScalar, skipValue } from "./json-skip.ts";
import { SLICE_BYTES, SLICE_ELEMENTS, type Sliced } from "./slices.ts";
import { isUtf8InSlices } from "./utf8-slices.ts";

/** Place of an array in the document's bytes. */
export class JsonSpan {
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

/** An array or object where the schema has none. */
export class JsonOpaque {
  readonly type: "array" | "object";

  constructor(type: "array" | "object") {
    this.type = type;
  }
}

export type JsonObject = ReadonlyMap<string, JsonNode>;

/** Integers of the (u)int64 range are bigint, all other numbers number. */
export type JsonNode =
  | null
  | boolean
  | string
  | bigint
  | number
  | JsonSpan
  | JsonOpaque
  | JsonObject
  | readonly JsonNode[];

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Reads a whole document. Of duplicate members the first counts. Throws INTERNAL for wrong syntax or UTF-8 and
 * INVALID_ARGUMENT for too deep nesting or too long lists.
 */
export function* readJsonDocument(bytes: Uint8Array, schema: JsonSchema): Sliced<JsonNode> {
  const scanner = new JsonScanner(bytes);
  const valid = bytes.length <= SLICE_BYTES ? isUtf8(scanner.bytes) : yield* isUtf8InSlices(scanner.bytes);
  if (!valid) scanner.fail("Invalid encoding in string.");
  if (scanner.peek() === -1) scanner.fail("The document is empty.");
  const node = yield* readNode(scanner, schema);
  if (scanner.peek() !== -1) scanner.fail("The document root must not be followed by other values.");
  return node;
}

function* readNode(scanner: JsonScanner, schema: JsonSchema): Sliced<JsonNode> {
  const open: JsonContainer[] = [];
  let wanted: Wanted = schema;
  let left = SLICE_ELEMENTS;
  for (;;) {
    const byte = scanner.peek();
    let node: JsonNode;
    if (byte === 0x5b || byte === 0x7b) {
      const container = containerFor(byte, wanted);
      if (container === undefined) node = yield* passContainer(scanner, wanted, open.length + 1);
      else {
        scanner.at += 1;
        if (!scanner.take(container.close)) {
          open.push(container);
          wanted = container.next(scanner, open.length);
          continue;
        }
        node = container.node;
      }
    } else if (wanted === "nothing") {
      skipScalar(scanner);
      node = null;
    } else node = byte === 0x22 ? scanner.readString() : readWord(scanner);
    let parent = open.at(-1);
    while (parent !== undefined) {
      parent.put(node);
      if (scanner.take(0x2c)) break;
      if (!scanner.take(parent.close)) failClosing(scanner, parent.close);
      node = parent.node;
      open.pop();
      parent = open.at(-1);
    }
    if (parent === undefined) return node;
    wanted = parent.next(scanner, open.length);
    left -= 1;
    if (left === 0) {
      left = SLICE_ELEMENTS;
      yield;
    }
  }
}

/** An array or object that is not built: its place where the schema asks for it. */
function* passContainer(scanner: JsonScanner, wanted: Wanted, depth: number): Sliced<JsonNode> {
  const start = scanner.at;
  const array = scanner.peek() === 0x5b;
  if (array && wanted === "span") {
    yield* skipBrackets(scanner);
    return new JsonSpan(start, scanner.at);
  }
  yield* skipValue(scanner, depth);
  return new JsonOpaque(array ? "array" : "object");
}

function readWord(scanner: JsonScanner): JsonNode {
  const byte = scanner.peek();
  if (startsNumber(byte)) {
    const start = scanner.at;
    const value = scanner.readNumber();
    if (!scanner.integer) return value;
    const exact = Number.isSafeInteger(value) ? BigInt(value) : exactInteger(scanner, start);
    return exact >= INT64_MIN && exact <= UINT64_MAX ? exact : value;
  }
  if (scanner.takeWord("true")) return true;
  if (scanner.takeWord("false")) return false;
  if (scanner.takeWord("null")) return null;
  return scanner.fail("Invalid value.");
}

/** All digits of the integer that was read from `start`; digits beyond any int64 are cut, they stay out of range. */
function exactInteger(scanner: JsonScanner, start: number): bigint {
  return BigInt(scanner.bytes.toString("latin1", start, Math.min(scanner.at, start + 32)));
}
