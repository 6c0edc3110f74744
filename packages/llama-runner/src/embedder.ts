import { NereidError } from "@nereid/errors";
import type { Engine } from "./engine.ts";
import type { EmbeddingContext, Token } from "./engine-types.ts";

/** Embeddings of texts, one after the other. Its context takes memory from the first one on. */
export class Embedder {
  readonly #engine: Engine;
  #context: Promise<EmbeddingContext> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The vector as the model gives it, not normalized. INTERNAL when it gives none. */
  async embed(tokens: Token[]): Promise<Float32Array> {
    const { model, contextSize, threads } = this.#engine;
    this.#context ??= model.createEmbeddingContext({ contextSize, threads });
    const { vector } = await (await this.#context).getEmbeddingFor([...tokens]);
    if (vector.length === 0) throw new NereidError("INTERNAL", "the model gave no embedding");
    return Float32Array.from(vector);
  }

  async close(): Promise<void> {
    await (await this.#context)?.dispose();
  }
}
