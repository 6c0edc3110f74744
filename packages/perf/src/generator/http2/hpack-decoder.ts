import { decodeHuffman } from "./huffman.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** What a side may remember unless it said otherwise (RFC 9113, 6.5.2). */
export const DEFAULT_TABLE_BYTES = 4096;
/** What an entry takes beside its name and value (RFC 7541, 4.1). */
export const ENTRY_BYTES = 32;

type Field = readonly [name: string, value: string];

/** Reads the header blocks of one connection, in their order: each may refer to what those before it brought. Throws on a broken block. */
export class HpackDecoder {
  readonly #dynamic: Field[] = [];
  #bytes = 0;
  #limit = DEFAULT_TABLE_BYTES;

  decode(block: Uint8Array): Map<string, string> {
    const fields = new Map<string, string>();
    const cursor = new BlockCursor(block);
    while (!cursor.isDone) {
      const first = cursor.peek();
      if (first >= 0x80) {
        fields.set(...this.#at(cursor.integer(7)));
      } else if (first >= 0x40) {
        const field = this.#literal(cursor, 6);
        fields.set(...field);
        this.#remember(field);
      } else if (first >= 0x20) {
        this.#resize(cursor.integer(5));
      } else {
        fields.set(...this.#literal(cursor, 4));
      }
    }
    return fields;
  }

  #literal(cursor: BlockCursor, prefixBits: number): Field {
    const index = cursor.integer(prefixBits);
    const name = index === 0 ? cursor.text() : this.#at(index)[0];
    return [name, cursor.text()];
  }

  #at(index: number): Field {
    const field =
      index <= STATIC_TABLE.length ? STATIC_TABLE[index - 1] : this.#dynamic[index - STATIC_TABLE.length - 1];
    if (field === undefined) throw new Error(`a header refers to entry ${index} of a table that has none`);
    return field;
  }

  #remember(field: Field): void {
    this.#dynamic.unshift(field);
    this.#bytes += sizeOf(field);
    this.#evict();
  }

  #resize(limit: number): void {
    if (limit > DEFAULT_TABLE_BYTES) throw new Error(`a header table of ${limit} bytes was not offered`);
    this.#limit = limit;
    this.#evict();
  }

  #evict(): void {
    while (this.#bytes > this.#limit) {
      const oldest = this.#dynamic.pop();
      if (oldest === undefined) return;
      this.#bytes -= sizeOf(oldest);
    }
  }
}

function sizeOf([name, value]: Field): number {
  return Buffer.byteLength(name) + Buffer.byteLength(value) + ENTRY_BYTES;
}

class BlockCursor {
  readonly #block: Uint8Array;
  #at = 0;

  constructor(block: Uint8Array) {
    this.#block = block;
  }

  get isDone(): boolean {
    return this.#at >= this.#block.byteLength;
  }

  peek(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new Error("a header block ends within a field");
    return byte;
  }

  /** RFC 7541, 5.1. */
  integer(prefixBits: number): number {
    const most = 2 ** prefixBits - 1;
    let value = this.#next() & most;
    if (value < most) return value;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.#next();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a header block has a number that is too large");
  }

  /** RFC 7541, 5.2. */
  text(): string {
    const isHuffman = this.peek() >= 0x80;
    const length = this.integer(7);
    const end = this.#at + length;
    if (end > this.#block.byteLength) throw new Error("a header block ends within a text");
    const bytes = this.#block.subarray(this.#at, end);
    this.#at = end;
    return (isHuffman ? decodeHuffman(bytes) : Buffer.from(bytes)).toString("latin1");
  }

  #next(): number {
    const byte = this.peek();
    this.#at += 1;
    return byte;
  }
}
