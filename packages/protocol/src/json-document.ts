import { isUtf8 } from "node:buffer";
import { NereidError } from "@nereid/errors";
import { JsonScanner, MAX_JSON_DEPTH, nestingError, startsNumber } from "./json-scanner.ts";
import type { JsonMember, JsonSchema } from "./json-schema.ts";
import { failClosing, passKey, readKey, skipBrackets, skipValue } from "./json-skip.ts";

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

/** Most elements or members of a list that is built; far above any real request, far below a hostile one. */
const MAX_LISTED = 16_384;

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Reads a whole document. Of duplicate members the first counts. Throws INTERNAL for wrong syntax or UTF-8 and
 * INVALID_ARGUMENT for too deep nesting or too long lists.
 */
export function readJsonDocument(bytes: Uint8Array, schema: JsonSchema): JsonNode {
  const scanner = new JsonScanner(bytes);
  if (!isUtf8(scanner.bytes)) scanner.fail("Invalid encoding in string.");
  if (scanner.peek() === -1) scanner.fail("The document is empty.");
  const node = readNode(scanner, schema, 1);
  if (scanner.peek() !== -1) scanner.fail("The document root must not be followed by other values.");
  return node;
}

function readNode(scanner: JsonScanner, schema: JsonSchema, depth: number): JsonNode {
  switch (scanner.peek()) {
    case 0x5b:
      return readArray(scanner, schema, depth);
    case 0x7b:
      return readObject(scanner, schema, depth);
    case 0x22:
      return scanner.readString();
    default:
      return readWord(scanner);
  }
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

function readArray(scanner: JsonScanner, schema: JsonSchema, depth: number): JsonNode {
  const start = scanner.at;
  if (schema === "span") {
    skipBrackets(scanner);
    return new JsonSpan(start, scanner.at);
  }
  if (typeof schema === "string" || !("each" in schema)) {
    skipValue(scanner, depth);
    return new JsonOpaque("array");
  }
  const nodes: JsonNode[] = [];
  scanner.at += 1;
  if (scanner.take(0x5d)) return nodes;
  do {
    checkListed(nodes.length, depth);
    nodes.push(readNode(scanner, schema.each, depth + 1));
  } while (scanner.take(0x2c));
  return scanner.take(0x5d) ? nodes : failClosing(scanner, 0x5d);
}

function readObject(scanner: JsonScanner, schema: JsonSchema, depth: number): JsonNode {
  if (typeof schema === "string" || "each" in schema) {
    skipValue(scanner, depth);
    return new JsonOpaque("object");
  }
  const members = new Map<string, JsonNode>();
  let listed = 0;
  scanner.at += 1;
  if (scanner.take(0x7d)) return members;
  do {
    checkListed(listed, depth);
    listed += 1;
    if ("values" in schema) {
      const key = readKey(scanner);
      scanner.peek();
      if (members.has(key)) skipValue(scanner, depth + 1);
      else members.set(key, readNode(scanner, schema.values, depth + 1));
      continue;
    }
    const wanted = takeMember(scanner, schema.members);
    scanner.peek();
    if (wanted === undefined || members.has(wanted.name)) skipValue(scanner, depth + 1);
    else members.set(wanted.name, readNode(scanner, wanted.schema, depth + 1));
  } while (scanner.take(0x2c));
  return scanner.take(0x7d) ? members : failClosing(scanner, 0x7d);
}

/** Consumes a member name and its colon; undefined when nobody wants the member. */
function takeMember(scanner: JsonScanner, members: readonly JsonMember[]): JsonMember | undefined {
  const start = scanner.at;
  const { from, to, escaped } = passKey(scanner);
  if (!escaped)
    return members.find(({ bytes }) => bytes.length === to - from && startsWith(scanner.bytes, from, bytes));
  scanner.at = start;
  const key = readKey(scanner);
  return members.find(({ name }) => name === key);
}

function startsWith(bytes: Uint8Array, from: number, prefix: Uint8Array): boolean {
  for (let index = 0; index < prefix.length; index += 1) {
    if (bytes[from + index] !== prefix[index]) return false;
  }
  return true;
}

function checkListed(length: number, depth: number): void {
  if (depth > MAX_JSON_DEPTH) throw nestingError();
  if (length >= MAX_LISTED) {
    throw new NereidError("INVALID_ARGUMENT", `JSON list is longer than the maximum allowed length (${MAX_LISTED})`);
  }
}
