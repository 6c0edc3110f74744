const CONTINUES = 0x80;
const BASE = 0x80;

/** Writes whole numbers from 0 to 2^53 and texts into a growing buffer; small numbers take one byte. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number from 0 on`);
    this.#reserve(8);
    let rest = value;
    while (rest >= BASE) {
      this.#bytes[this.#length] = (rest % BASE) | CONTINUES;
      this.#length += 1;
      rest = Math.floor(rest / BASE);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  text(value: string): void {
    this.bytes(Buffer.from(value, "utf8"));
  }

  /** Its length and then the bytes themselves. */
  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** What was written so far, as a copy. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a ByteWriter wrote. Throws RangeError at a premature end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= BASE) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new RangeError("the bytes end in the middle of a number");
      this.#at += 1;
      value += (byte % BASE) * factor;
      if (byte < CONTINUES) return value;
    }
  }

  text(): string {
    return Buffer.from(this.bytes()).toString("utf8");
  }

  bytes(): Uint8Array {
    const length = this.number();
    if (this.#at + length > this.#bytes.length) throw new RangeError("the bytes end in the middle of a piece");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
