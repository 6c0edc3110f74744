import { NereidError } from "@nereid/errors";

/** Hands out the binary blobs behind the JSON part, in order, as views (http.md §8). */
export class BlobReader {
  readonly #body: Uint8Array;
  readonly #modelName: string;
  #at: number;

  constructor(body: Uint8Array, options: { readonly start: number; readonly modelName: string }) {
    this.#body = body;
    this.#at = options.start;
    this.#modelName = options.modelName;
  }

  /** The next `size` bytes. Throws INVALID_ARGUMENT when the body has fewer. */
  take(size: bigint, tensorName: string): Uint8Array {
    const left = BigInt(this.#body.length - this.#at);
    if (size > left) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `unexpected size for input '${tensorName}', expecting ${size - left} additional bytes for model '${this.#modelName}'`,
      );
    }
    const start = this.#at;
    this.#at += Number(size);
    return this.#body.subarray(start, this.#at);
  }

  /** Throws INVALID_ARGUMENT when bytes are left over. */
  finish(): void {
    if (this.#at === this.#body.length) return;
    throw new NereidError("INVALID_ARGUMENT", `unexpected additional input data for model '${this.#modelName}'`);
  }
}
