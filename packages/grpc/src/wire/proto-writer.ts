import { FIXED64, LENGTH, VARINT } from "./proto-reader.ts";

const TWO_32 = 0x1_0000_0000;

/** Writes a protobuf message into one growing buffer. Empty texts and zeros are left out, as proto3 does for plain fields. */
export class ProtoWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(size = 512) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get length(): number {
    return this.#at;
  }

  /** Forgets what was written; the memory is kept. */
  reset(): void {
    this.#at = 0;
  }

  /** A copy of what was written. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  /** A copy of what was written since `start`. */
  copyFrom(start: number): Buffer {
    return Buffer.from(this.#bytes.subarray(start, this.#at));
  }

  /** Leaves room for `length` bytes that are written later with `patchUint32`. */
  reserve(length: number): number {
    this.#room(length);
    const start = this.#at;
    this.#bytes.fill(0, start, start + length);
    this.#at += length;
    return start;
  }

  /** Writes a big-endian number into room that was reserved. */
  patchUint32(at: number, value: number): void {
    this.#bytes.writeUInt32BE(value, at);
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.byteLength);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.byteLength;
  }

  /** A string field; nothing for "". */
  string(field: number, text: string): void {
    if (text !== "") this.element(field, text);
  }

  /** A string field, also when it is empty: an element of a list, a key, a choice. */
  element(field: number, text: string): void {
    this.tag(field, LENGTH);
    const { length } = text;
    // Up to 42 units of UTF-16 are at most 126 bytes: the length fits one byte.
    if (length <= 42) {
      this.#room(1 + 3 * length);
      const start = this.#at + 1;
      const written = this.#short(text, start);
      this.#bytes[this.#at] = written;
      this.#at = start + written;
      return;
    }
    const size = Buffer.byteLength(text);
    this.varint(size);
    this.#room(size);
    this.#at += this.#bytes.write(text, this.#at);
  }

  bool(field: number, value: boolean): void {
    this.tag(field, VARINT);
    this.varint(value ? 1 : 0);
  }

  double(field: number, value: number): void {
    this.tag(field, FIXED64);
    this.#room(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  tag(field: number, wire: number): void {
    this.varint(field * 8 + wire);
  }

  /** A whole number from 0 to 2^53. */
  varint(value: number): void {
    this.#room(10);
    const bytes = this.#bytes;
    let rest = value;
    while (rest >= TWO_32) {
      bytes[this.#at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      bytes[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[this.#at++] = rest;
  }

  /** A number of a signed 64-bit field. */
  signed(value: number): void {
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) this.varint(value);
    else this.big(BigInt(Math.trunc(value)));
  }

  /** A number of a 64-bit field, signed or not. */
  big(value: bigint): void {
    this.#room(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 127n) {
      this.#bytes[this.#at++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#at++] = Number(rest);
  }

  /** Begins a message field of unknown length. Returns what `end` needs. */
  begin(field: number): number {
    this.tag(field, LENGTH);
    this.#room(1);
    this.#at += 1;
    return this.#at;
  }

  /** Ends a message field; `outside` bytes of it follow from elsewhere. */
  end(start: number, outside = 0): void {
    const inside = this.#at - start;
    const length = inside + outside;
    const extra = varintSize(length) - 1;
    // Also what `varint` will ask for: it must not move the bytes while `#at` lies before them.
    this.#room(extra + 10);
    if (extra > 0) this.#bytes.copyWithin(start + extra, start, this.#at);
    this.#at = start - 1;
    this.varint(length);
    this.#at += inside;
  }

  #short(text: string, start: number): number {
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 127) return bytes.write(text, start);
      bytes[start + index] = unit;
    }
    return text.length;
  }

  #room(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.byteLength));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Bytes a whole number takes as a varint. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
