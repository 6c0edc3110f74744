import { SLICE_BYTES, type Sliced } from "./slices.ts";

/** JSON text being put together: kept as bytes, so that its length is not bound by that of strings. */
export class JsonText {
  readonly #chunks: Buffer[] = [];
  #text = "";
  #byteLength = 0;

  /** Bytes so far; text that was added since the last full chunk counts by its characters. */
  get byteLength(): number {
    return this.#byteLength + this.#text.length;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < SLICE_BYTES) return;
    this.#push(Buffer.from(this.#text));
    this.#text = "";
  }

  /** All of it in one buffer. The text is empty afterwards. */
  *take(): Sliced<Buffer<ArrayBuffer>> {
    const last = Buffer.from(this.#text);
    this.#text = "";
    if (this.#chunks.length === 0) return last;
    this.#push(last);
    const whole = Buffer.allocUnsafeSlow(this.#byteLength);
    let at = 0;
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      whole.set(chunk, at);
      at += chunk.length;
      yield;
    }
    this.#byteLength = 0;
    return whole;
  }

  #push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#byteLength += chunk.length;
  }
}
