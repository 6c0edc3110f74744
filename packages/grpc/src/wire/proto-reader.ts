import { malformed } from "./malformed.ts";
import { readUtf8 } from "./utf8.ts";

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;
const GROUP_START = 3;
const GROUP_END = 4;
export const FIXED32 = 5;

/** Bounds the time one message may take; no sensible request has as many fields. */
const MOST_FIELDS = 1_000_000;
const MOST_NESTED_GROUPS = 100;
const TWO_32 = 0x1_0000_0000;

/**
 * Walks over the fields of a protobuf message without building anything. Every read checks the bounds of the message it is in;
 * a broken message throws INVALID_ARGUMENT. 64-bit numbers come as halves, so that ordinary ones need no BigInt.
 */
export class ProtoReader {
  readonly bytes: Buffer;
  /** Next byte. */
  pos: number;
  /** Where the message that is read ends. */
  end: number;
  /** Wire type of the current field. */
  wire = VARINT;
  /** Halves of the last varint, unsigned. */
  lo = 0;
  hi = 0;
  #fieldsLeft: number;

  constructor(bytes: Uint8Array, { mostFields = MOST_FIELDS }: { readonly mostFields?: number } = {}) {
    this.#fieldsLeft = mostFields;
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.pos = 0;
    this.end = bytes.byteLength;
  }

  /** Goes to the next field and returns its number; 0 at the end of the message. */
  next(): number {
    if (this.pos >= this.end) return 0;
    this.#fieldsLeft -= 1;
    if (this.#fieldsLeft < 0) throw malformed("it has too many fields");
    this.varint();
    if (this.hi !== 0) throw malformed("a field number is out of range");
    this.wire = this.lo & 7;
    const field = this.lo >>> 3;
    if (field === 0) throw malformed("a field has the number 0");
    if (this.wire > FIXED32) throw malformed(`field ${field} has the wire type ${this.wire}`);
    return field;
  }

  /** The current field must have this wire type. */
  expect(wire: number, name: string): void {
    if (this.wire !== wire) throw malformed(`${name} has the wire type ${this.wire}, not ${wire}`);
  }

  varint(): void {
    const { bytes } = this;
    let { pos } = this;
    const limit = this.end;
    if (pos >= limit) throw malformed("it ends inside a number");
    let byte = bytes[pos++] ?? 0;
    if (byte < 0x80) {
      this.lo = byte;
      this.hi = 0;
      this.pos = pos;
      return;
    }
    let lo = byte & 0x7f;
    let hi = 0;
    for (let shift = 7; ; shift += 7) {
      if (pos >= limit) throw malformed("it ends inside a number");
      if (shift > 63) throw malformed("a number is longer than 10 bytes");
      byte = bytes[pos++] ?? 0;
      const part = byte & 0x7f;
      if (shift < 28) lo |= part << shift;
      else if (shift === 28) {
        lo |= part << 28;
        hi = part >>> 4;
      } else hi |= part << (shift - 32);
      if (byte < 0x80) break;
    }
    this.lo = lo >>> 0;
    this.hi = hi >>> 0;
    this.pos = pos;
  }

  bool(name: string): boolean {
    this.expect(VARINT, name);
    this.varint();
    return this.lo !== 0 || this.hi !== 0;
  }

  int64(name: string): bigint {
    return BigInt.asIntN(64, this.uint64(name));
  }

  uint64(name: string): bigint {
    this.expect(VARINT, name);
    this.varint();
    return this.hi === 0 ? BigInt(this.lo) : (BigInt(this.hi) << 32n) | BigInt(this.lo);
  }

  /** The last varint as int64; of those beyond 2^53 only the magnitude is right. */
  lastAsNumber(): number {
    return this.hi === 0 ? this.lo : (this.hi | 0) * TWO_32 + this.lo;
  }

  double(name: string): number {
    this.expect(FIXED64, name);
    if (this.end - this.pos < 8) throw malformed(`it ends inside ${name}`);
    const value = this.bytes.readDoubleLE(this.pos);
    this.pos += 8;
    return value;
  }

  string(name: string): string {
    const length = this.length(name);
    const start = this.pos;
    this.pos += length;
    return readUtf8(this.bytes, { start, end: this.pos, name });
  }

  /** A view on the bytes. */
  view(name: string): Uint8Array {
    const length = this.length(name);
    const { buffer, byteOffset } = this.bytes;
    const view = new Uint8Array(buffer, byteOffset + this.pos, length);
    this.pos += length;
    return view;
  }

  /** Number of bytes of a length-delimited field, all of which are there. */
  length(name: string): number {
    this.expect(LENGTH, name);
    this.varint();
    if (this.hi !== 0 || this.lo > this.end - this.pos) throw malformed(`it ends inside ${name}`);
    return this.lo;
  }

  /** Goes into a message field. Returns what `leave` needs. */
  enter(name: string): number {
    const length = this.length(name);
    const outer = this.end;
    this.end = this.pos + length;
    return outer;
  }

  leave(outer: number): void {
    this.pos = this.end;
    this.end = outer;
  }

  /** Goes over the current field, whatever it is. */
  skip(field: number): void {
    if (this.wire === GROUP_START) this.#skipGroup(field);
    else this.#skipPlain();
  }

  #skipPlain(): void {
    switch (this.wire) {
      case VARINT:
        this.varint();
        return;
      case FIXED64:
        this.#step(8);
        return;
      case LENGTH: {
        const length = this.length("an unknown field");
        this.pos += length;
        return;
      }
      case FIXED32:
        this.#step(4);
        return;
      default:
        throw malformed("a group ends that did not begin");
    }
  }

  /** Groups may nest; a loop instead of recursion, so that depth costs no stack. */
  #skipGroup(field: number): void {
    const open = [field];
    while (open.length > 0) {
      const inner = this.next();
      if (inner === 0) throw malformed("it ends inside a group");
      if (this.wire === GROUP_START) {
        if (open.length >= MOST_NESTED_GROUPS) throw malformed("its groups are nested too deep");
        open.push(inner);
      } else if (this.wire === GROUP_END) {
        if (open.pop() !== inner) throw malformed("a group ends that did not begin");
      } else this.#skipPlain();
    }
  }

  #step(length: number): void {
    if (this.end - this.pos < length) throw malformed("it ends inside an unknown field");
    this.pos += length;
  }
}
