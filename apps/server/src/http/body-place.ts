import type { SlabBlock } from "@nereid/inference-worker";
import type { InferTarget } from "../handlers/infer.ts";
import type { ServerContext } from "../server-context.ts";

const ALIGNMENT = 64;

/** Shared memory for one body, placed so that the tensors behind its JSON part start at a multiple of 64. */
export class BodyPlace {
  readonly #context: ServerContext;
  readonly #target: InferTarget;
  readonly #jsonLength: number;
  #block: SlabBlock | undefined;

  constructor(context: ServerContext, target: InferTarget, header: string | undefined) {
    this.#context = context;
    this.#target = target;
    this.#jsonLength = Number(header);
  }

  take(byteLength: number): Uint8Array | undefined {
    if (!Number.isSafeInteger(this.#jsonLength)) return undefined;
    const entry = this.#context.manager.entry(this.#target.model);
    if (entry === undefined) return undefined;
    try {
      this.#block = this.#context.manager
        .resolve(this.#target.model, this.#target.version)
        .reserve(byteLength + ALIGNMENT);
    } catch {
      // An unknown model or full memory is answered when the body is there.
      return undefined;
    }
    const skip = (ALIGNMENT - (this.#jsonLength % ALIGNMENT)) % ALIGNMENT;
    return this.#block?.bytes.subarray(skip, skip + byteLength);
  }

  release(): void {
    this.#block?.release();
  }
}
