import { DEFAULT_TABLE_BYTES, ENTRY_BYTES } from "./hpack-decoder.ts";
import { STATIC_TABLE } from "./static-table.ts";

const FIRST_DYNAMIC = STATIC_TABLE.length + 1;
// What a field begins with (RFC 7541, 6).
const INDEXED = 0x80;
const WITH_INDEXING = 0x40;
const TABLE_OF_NOTHING = 0x20;
const WITHOUT_INDEXING = 0x00;

/**
 * The header block of a connection whose requests all have the same headers: the first brings them, and those behind it only refer to them, as
 * clients in C++ do (RFC 7541). Where the server remembers too little, all are brought each time.
 */
export class RequestHeaders {
  readonly #spelled: Buffer;
  readonly #remembering: Buffer;
  readonly #references: Buffer;
  #next: "remembering" | "references" | "forgetting" | "spelled";

  constructor(headers: Readonly<Record<string, string>>) {
    const fields = Object.entries(headers).map(([name, value]): Field => [name.toLowerCase(), value]);
    const entries = fields.map((field) => ({ field, known: staticIndex(field) }));
    const block = (prefix: number) =>
      Buffer.concat(entries.map(({ field, known }) => (known === 0 ? literal(prefix, field) : indexed(known))));
    this.#spelled = block(WITHOUT_INDEXING);
    this.#remembering = block(WITH_INDEXING);
    const added = entries.filter(({ known }) => known === 0);
    // The last that was added has the first number.
    const dynamic = new Map(added.map(({ field }, at) => [field, FIRST_DYNAMIC + added.length - 1 - at]));
    this.#references = Buffer.concat(entries.map(({ field, known }) => indexed(dynamic.get(field) ?? known)));
    const bytes = added.reduce((sum, { field }) => sum + Buffer.byteLength(field.join("")) + ENTRY_BYTES, 0);
    this.#next = bytes > DEFAULT_TABLE_BYTES ? "spelled" : "remembering";
  }

  /** What the server's settings let it remember from now on. */
  remembersBytes(bytes: number): void {
    if (bytes < DEFAULT_TABLE_BYTES) this.#next = "forgetting";
  }

  /** The block of the next request. */
  block(): Buffer {
    switch (this.#next) {
      case "remembering":
        this.#next = "references";
        return this.#remembering;
      case "references":
        return this.#references;
      case "forgetting":
        this.#next = "spelled";
        return Buffer.concat([Buffer.of(TABLE_OF_NOTHING), this.#spelled]);
      case "spelled":
        return this.#spelled;
    }
  }
}

type Field = readonly [name: string, value: string];

/** Its place in the static table with this very value; 0 = none. */
function staticIndex([name, value]: Field): number {
  return STATIC_TABLE.findIndex((entry) => entry[0] === name && entry[1] === value && value !== "") + 1;
}

function indexed(index: number): Buffer {
  return integer(INDEXED, 7, index);
}

function literal(prefix: number, [name, value]: Field): Buffer {
  return Buffer.concat([Buffer.of(prefix), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(0x00, 7, bytes.byteLength), bytes]);
}

/** RFC 7541, 5.1. */
function integer(prefix: number, prefixBits: number, value: number): Buffer {
  const most = 2 ** prefixBits - 1;
  if (value < most) return Buffer.of(prefix | value);
  const bytes = [prefix | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.of(...bytes, rest);
}
