import type { FileHandle } from "node:fs/promises";
import { NereidError } from "@nereid/errors";

const BUFFER_BYTES = 64 * 1024;
const LONGEST_TEXT_BYTES = 64 * 1024;
/** All names of a model together; it bounds what a hostile file can make this process keep. */
const MOST_TEXT_BYTES = 64 << 20;
const DEEPEST = 64;
/** Fields looked at; far above any real graph, and reached within seconds. */
const MOST_FIELDS = 50_000_000;

/** Bytes [start, end) of the file that hold one message. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** What a reading step hands to its driver: "bring these bytes into the buffer, then go on". */
type Fetch = { readonly position: number };
/** A reading step; it is suspended while bytes are fetched, so that nothing waits on the disk synchronously. */
export type Reading<T> = Generator<Fetch, T, void>;

export interface Field {
  readonly number: number;
  readonly wire: 0 | 1 | 2 | 5;
  /** Value of a varint; 0 for other wire types. */
  readonly value: bigint;
  /** Payload of a length-delimited field; empty for other wire types. */
  readonly span: Span;
}

/** INVALID_ARGUMENT: says what is wrong with the file and at which byte. */
export function malformed(what: string, at: number): NereidError {
  const fix = "export the model again, or upload it again if it was cut";
  return new NereidError("INVALID_ARGUMENT", `not a valid ONNX file: ${what} at byte ${at}; ${fix}`, {
    fix,
    details: { byte: at },
  });
}

/** Walks a protobuf file by position. Payloads that nobody asks for are skipped without being read. */
export class WireReader {
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  readonly #size: number;
  #start = 0;
  #length = 0;
  #fields = 0;
  #textBytes = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** The whole file as one message. */
  get root(): Span {
    return { start: 0, end: this.#size, depth: 0 };
  }

  /** Runs a reading to its end, fetching what it asks for. */
  async run<T>(handle: FileHandle, reading: Reading<T>): Promise<T> {
    let step = reading.next();
    while (step.done !== true) {
      const { position } = step.value;
      const { bytesRead } = await handle.read(this.#buffer, 0, BUFFER_BYTES, position);
      this.#start = position;
      this.#length = bytesRead;
      if (bytesRead === 0) throw malformed("the file ends too early", position);
      step = reading.next();
    }
    return step.value;
  }

  /** Calls `visit` for every field of a message, in the order of the file. */
  *fields(message: Span, visit: (field: Field) => Reading<void> | undefined): Reading<void> {
    if (message.depth > DEEPEST) throw malformed(`messages are nested deeper than ${DEEPEST}`, message.start);
    let position = message.start;
    while (position < message.end) {
      this.#fields += 1;
      if (this.#fields > MOST_FIELDS) throw malformed(`more than ${MOST_FIELDS} fields`, position);
      const tag = yield* this.#varint(position, message.end);
      const number = Number(tag.value >> 3n);
      const wire = Number(tag.value & 7n);
      if (number === 0 || number > 0x1fffffff) throw malformed("an impossible field number", position);
      const field = yield* this.#payload({ number, wire, at: tag.next }, message);
      const reading = visit(field);
      if (reading !== undefined) yield* reading;
      position = field.span.end;
    }
  }

  *#payload(tag: { number: number; wire: number; at: number }, message: Span): Reading<Field> {
    const { number, wire, at } = tag;
    const empty = (end: number): Span => {
      if (end > message.end) throw malformed("a value that is longer than its message", at);
      return { start: end, end, depth: message.depth + 1 };
    };
    switch (wire) {
      case 0: {
        const { value, next } = yield* this.#varint(at, message.end);
        return { number, wire, value, span: empty(next) };
      }
      case 1:
        return { number, wire, value: 0n, span: empty(at + 8) };
      case 5:
        return { number, wire, value: 0n, span: empty(at + 4) };
      case 2: {
        const { value, next } = yield* this.#varint(at, message.end);
        if (value > BigInt(message.end - next)) throw malformed(`field ${number} is longer than what follows`, at);
        return { number, wire, value: 0n, span: { start: next, end: next + Number(value), depth: message.depth + 1 } };
      }
      default:
        throw malformed(`wire type ${wire}, which ONNX does not use,`, at);
    }
  }

  /** A text of at most 64 KiB; bytes that are not UTF-8 become U+FFFD. */
  *text(span: Span): Reading<string> {
    const length = span.end - span.start;
    if (length > LONGEST_TEXT_BYTES) throw malformed(`a name of ${length} bytes`, span.start);
    this.#textBytes += length;
    if (this.#textBytes > MOST_TEXT_BYTES) throw malformed("more than 64 MiB of names", span.start);
    if (length === 0) return "";
    yield* this.#need(span.start, length);
    const from = span.start - this.#start;
    return this.#buffer.toString("utf8", from, from + length);
  }

  *#varint(position: number, end: number): Reading<{ value: bigint; next: number }> {
    const most = Math.min(10, end - position);
    if (most <= 0) throw malformed("the file ends inside a field", position);
    yield* this.#need(position, most);
    const from = position - this.#start;
    let low = 0;
    for (let index = 0; index < most; index++) {
      const byte = this.#buffer[from + index] ?? 0;
      // Nearly all fit into 28 bits and need no big integers.
      if (index < 4) {
        low |= (byte & 0x7f) << (7 * index);
        if (byte < 0x80) return { value: BigInt(low), next: position + index + 1 };
      } else break;
    }
    return this.#longVarint(position, most);
  }

  #longVarint(position: number, most: number): { value: bigint; next: number } {
    const from = position - this.#start;
    let value = 0n;
    for (let index = 0; index < most; index++) {
      const byte = this.#buffer[from + index] ?? 0;
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return { value: BigInt.asUintN(64, value), next: position + index + 1 };
    }
    throw malformed("a number without an end", position);
  }

  *#need(position: number, length: number): Reading<void> {
    if (position >= this.#start && position + length <= this.#start + this.#length) return;
    yield { position };
    if (this.#length < length) throw malformed("the file ends too early", position + this.#length);
  }
}
