import { NereidError } from "@nereid/errors";
import { PREFIX_BYTES } from "./frame-prefix.ts";

/** A message without its prefix; a view on what was pushed, or on the memory it was collected in. */
export interface FramedMessage {
  readonly bytes: Uint8Array;
  readonly compressed: boolean;
}

export interface FrameParserOptions {
  /** Bytes of the largest message that is taken. */
  readonly maxMessageBytes: number;
  readonly onMessage: (message: FramedMessage) => void;
  /**
   * Offers memory for a message that comes in several chunks, of which `head` is the beginning; undefined declines. Asked once a
   * message, after the limit was checked.
   */
  readonly place?: (length: number, head: Uint8Array, compressed: boolean) => Uint8Array | undefined;
  /** Asked between messages; false leaves the rest of the chunk to whoever pushed it. */
  readonly more?: () => boolean;
}

/** Memory that is taken on the word of a client; what goes beyond has to come first. */
const ON_A_WORD = 4 << 20;

/**
 * Cuts a byte stream into gRPC messages. The length limit is checked on the prefix, before a byte of the message is kept, and
 * chunks are copied at once into their message's memory, so that many small ones cost no more than few large ones.
 */
export class FrameParser {
  readonly #options: FrameParserOptions;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixFilled = 0;
  #target: Uint8Array | undefined;
  #length = 0;
  #filled = 0;

  constructor(options: FrameParserOptions) {
    this.#options = options;
  }

  /** Whether a message has begun that is not complete. */
  get inside(): boolean {
    return this.#target !== undefined || this.#prefixFilled > 0;
  }

  /**
   * Takes the next bytes; calls `onMessage` for every message they complete. Throws PAYLOAD_TOO_LARGE beyond the limit and INTERNAL
   * for a flag that is neither 0 nor 1. Returns what `more` left, to be pushed again before anything else; empty otherwise.
   */
  push(chunk: Uint8Array): Uint8Array {
    const { more } = this.#options;
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (rest !== chunk && more?.() === false) return rest;
      if (this.#target === undefined) rest = this.#begin(rest);
      else rest = this.#continue(this.#target, rest);
    }
    return EMPTY;
  }

  /** Reads the prefix and what there is of the message. Returns what follows. */
  #begin(bytes: Uint8Array): Uint8Array {
    let at = 0;
    while (this.#prefixFilled < PREFIX_BYTES && at < bytes.byteLength) {
      this.#prefix[this.#prefixFilled++] = bytes[at++] ?? 0;
    }
    if (this.#prefixFilled < PREFIX_BYTES) return EMPTY;
    const [flag = 0] = this.#prefix;
    const length = this.#prefix.readUInt32BE(1);
    if (flag > 1)
      throw new NereidError("INTERNAL", `a message has the compression flag ${flag}, which is neither 0 nor 1`);
    const { maxMessageBytes, onMessage, place } = this.#options;
    if (length > maxMessageBytes) throw tooLarge(length, maxMessageBytes);
    const rest = bytes.subarray(at);
    if (rest.byteLength >= length) {
      this.#prefixFilled = 0;
      onMessage({ bytes: rest.subarray(0, length), compressed: flag === 1 });
      return rest.subarray(length);
    }
    this.#length = length;
    this.#filled = rest.byteLength;
    const offered = place?.(length, rest, flag === 1);
    this.#target = offered ?? Buffer.allocUnsafeSlow(Math.min(length, Math.max(ON_A_WORD, rest.byteLength)));
    this.#target.set(rest);
    return EMPTY;
  }

  #continue(target: Uint8Array, bytes: Uint8Array): Uint8Array {
    const take = Math.min(bytes.byteLength, this.#length - this.#filled);
    const room = this.#roomFor(target, this.#filled + take);
    room.set(take === bytes.byteLength ? bytes : bytes.subarray(0, take), this.#filled);
    this.#filled += take;
    if (this.#filled < this.#length) return EMPTY;
    const compressed = this.#prefix[0] === 1;
    this.#prefixFilled = 0;
    this.#target = undefined;
    this.#options.onMessage({ bytes: room.subarray(0, this.#length), compressed });
    return bytes.subarray(take);
  }

  #roomFor(target: Uint8Array, needed: number): Uint8Array {
    if (needed <= target.byteLength) return target;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#length, Math.max(needed, 2 * target.byteLength)));
    larger.set(target.subarray(0, this.#filled));
    this.#target = larger;
    return larger;
  }
}

const EMPTY = new Uint8Array(0);

/** PAYLOAD_TOO_LARGE in the words of gRPC libraries. */
export function tooLarge(length: number, limit: number): NereidError {
  return new NereidError("PAYLOAD_TOO_LARGE", `Received message larger than max (${length} vs. ${limit})`);
}
