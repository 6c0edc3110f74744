const PREFIX_BYTES = 4;

/** Goes over the elements of a BYTES tensor without making anything of them. */
export class BytesWalk {
  /** Where the current element's content lies. */
  start = 0;
  length = 0;
  /** Elements seen so far, the current one included. */
  count = 0;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  /** Bytes behind the current element; not 0 after the last one when the tensor ends inside an element. */
  get rest(): number {
    return this.#end - this.start - this.length;
  }

  /** Goes to the next element; false, without moving, when there is no whole one. */
  next(): boolean {
    const at = this.start + this.length;
    const left = this.#end - at - PREFIX_BYTES;
    if (left < 0) return false;
    const length = lengthAt(this.#bytes, at);
    if (length > left) return false;
    this.start = at + PREFIX_BYTES;
    this.length = length;
    this.count += 1;
    return true;
  }
}

/** The length prefix at an offset. */
export function lengthAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return low + (bytes[at + 3] ?? 0) * 0x100_0000;
}
