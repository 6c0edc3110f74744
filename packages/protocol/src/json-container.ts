import { NereidError } from "@nereid/errors";
import type { JsonNode } from "./json-document.ts";
import { type JsonScanner, MAX_JSON_DEPTH, nestingError } from "./json-scanner.ts";
import type { JsonMember, JsonSchema } from "./json-schema.ts";
import { passKey, readKey } from "./json-skip.ts";

/** Most elements or members of a list that is built; far above any real request, far below a hostile one. */
const MAX_LISTED = 16_384;

/** What the next value is read as; `nothing` is checked and passed over. */
export type Wanted = JsonSchema | "nothing";

/** An array or object that is being built. */
export interface JsonContainer {
  readonly node: JsonNode;
  /** Its closing bracket. */
  readonly close: number;
  /** Consumes what stands before the next value (a member name) and says how to read the value. */
  next(scanner: JsonScanner, depth: number): Wanted;
  /** Takes the value that was read. */
  put(value: JsonNode): void;
}

/** The container for an opening bracket; undefined when the schema builds none there. */
export function containerFor(open: number, schema: Wanted): JsonContainer | undefined {
  if (typeof schema === "string") return undefined;
  if ("each" in schema) return open === 0x5b ? new ArrayContainer(schema.each) : undefined;
  if (open !== 0x7b) return undefined;
  return "values" in schema ? new MapContainer(schema) : new ObjectContainer(schema.members);
}

class ArrayContainer implements JsonContainer {
  readonly node: JsonNode[] = [];
  readonly close = 0x5d;
  readonly #each: JsonSchema;

  constructor(each: JsonSchema) {
    this.#each = each;
  }

  next(_scanner: JsonScanner, depth: number): Wanted {
    checkListed(this.node.length, depth);
    return this.#each;
  }

  put(value: JsonNode): void {
    this.node.push(value);
  }
}

/** An object of which all members are built. */
class MapContainer implements JsonContainer {
  readonly node = new Map<string, JsonNode>();
  readonly close = 0x7d;
  readonly #schema: Extract<JsonSchema, { readonly values: JsonSchema }>;
  #listed = 0;
  #name: string | undefined;

  constructor(schema: Extract<JsonSchema, { readonly values: JsonSchema }>) {
    this.#schema = schema;
  }

  next(scanner: JsonScanner, depth: number): Wanted {
    checkListed(this.#listed, depth);
    this.#listed += 1;
    const key = readKey(scanner);
    this.#name = this.node.has(key) ? undefined : key;
    if (this.#name === undefined) return "nothing";
    const { values, named } = this.#schema;
    return named !== undefined && Object.hasOwn(named, key) ? (named[key] ?? values) : values;
  }

  put(value: JsonNode): void {
    if (this.#name !== undefined) this.node.set(this.#name, value);
  }
}

/** An object of which only the members of the schema are built. */
class ObjectContainer implements JsonContainer {
  readonly node = new Map<string, JsonNode>();
  readonly close = 0x7d;
  readonly #members: readonly JsonMember[];
  #listed = 0;
  #name: string | undefined;

  constructor(members: readonly JsonMember[]) {
    this.#members = members;
  }

  next(scanner: JsonScanner, depth: number): Wanted {
    checkListed(this.#listed, depth);
    this.#listed += 1;
    const wanted = takeMember(scanner, this.#members);
    this.#name = wanted === undefined || this.node.has(wanted.name) ? undefined : wanted.name;
    return this.#name === undefined || wanted === undefined ? "nothing" : wanted.schema;
  }

  put(value: JsonNode): void {
    if (this.#name !== undefined) this.node.set(this.#name, value);
  }
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
