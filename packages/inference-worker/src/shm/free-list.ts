/** First-fit allocator over one range of bytes. Pure bookkeeping; offsets are multiples of the alignment. */
export class FreeList {
  readonly #byteLength: number;
  readonly #alignment: number;
  #gaps: { offset: number; length: number }[];
  #used = 0;

  constructor(byteLength: number, alignment = 64) {
    this.#byteLength = byteLength;
    this.#alignment = alignment;
    this.#gaps = [{ offset: 0, length: byteLength }];
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** Offset of a free range, or undefined when no gap is large enough. Zero bytes take one alignment unit. */
  take(byteLength: number): number | undefined {
    const length = this.#round(byteLength);
    const index = this.#gaps.findIndex((gap) => gap.length >= length);
    const gap = this.#gaps[index];
    if (gap === undefined) return undefined;
    const { offset } = gap;
    if (gap.length === length) this.#gaps.splice(index, 1);
    else this.#gaps[index] = { offset: offset + length, length: gap.length - length };
    this.#used += length;
    return offset;
  }

  /** Returns a range given by `take` with the same length; neighbouring gaps melt into one. */
  give(offset: number, byteLength: number): void {
    const length = this.#round(byteLength);
    let at = this.#gaps.findIndex((gap) => gap.offset > offset);
    if (at === -1) at = this.#gaps.length;
    const before = this.#gaps[at - 1];
    const after = this.#gaps[at];
    if (
      (before !== undefined && before.offset + before.length > offset) ||
      (after !== undefined && offset + length > after.offset) ||
      offset + length > this.#byteLength
    ) {
      throw new RangeError(`range ${offset}+${length} is not taken`);
    }
    const merged = { offset, length };
    let remove = 0;
    let start = at;
    if (before !== undefined && before.offset + before.length === offset) {
      merged.offset = before.offset;
      merged.length += before.length;
      start = at - 1;
      remove += 1;
    }
    if (after !== undefined && offset + length === after.offset) {
      merged.length += after.length;
      remove += 1;
    }
    this.#gaps.splice(start, remove, merged);
    this.#used -= length;
  }

  #round(byteLength: number): number {
    return Math.max(1, Math.ceil(byteLength / this.#alignment)) * this.#alignment;
  }
}
