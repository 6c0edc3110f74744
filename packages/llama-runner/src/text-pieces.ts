import type { LlamaModel, Token } from "./engine-types.ts";

/** What a character that is not whole yet is shown as. */
const BROKEN = "\uFFFD";
/** No character takes more tokens than UTF-8 has bytes for it. */
const LONGEST_CHARACTER = 4;
/** Tokens before a piece that decide about its leading space. */
const CONTEXT_TOKENS = 8;

/** Turns tokens into text as they come; a token that ends in the middle of a character waits for the next one. */
export class TextPieces {
  readonly #model: Pick<LlamaModel, "detokenize">;
  #before: Token[] = [];
  #pending: Token[] = [];

  /** `prompt` is what the first piece follows. */
  constructor(model: Pick<LlamaModel, "detokenize">, prompt: readonly Token[]) {
    this.#model = model;
    this.#before = prompt.slice(-CONTEXT_TOKENS);
  }

  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#model.detokenize(this.#pending, false, this.#before);
    if (text.endsWith(BROKEN) && this.#pending.length < LONGEST_CHARACTER) return "";
    return this.#take(text);
  }

  /** What is left of a character that was never finished. */
  end(): string {
    if (this.#pending.length === 0) return "";
    return this.#take(this.#model.detokenize(this.#pending, false, this.#before));
  }

  #take(text: string): string {
    this.#before = [...this.#before, ...this.#pending].slice(-CONTEXT_TOKENS);
    this.#pending = [];
    return text;
  }
}
