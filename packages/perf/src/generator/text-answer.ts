import { field, parseJson, tokensOf } from "./text-fields.ts";

/** How the body of an answer is read, piece by piece. */
export interface AnswerReader {
  push(chunk: Uint8Array, atMs: number): void;
  /** The answer is complete. */
  finish(atMs: number): void;
  /** When each part came that was not empty. */
  readonly timesMs: readonly number[];
  /** As the server said; 0 = it did not. */
  readonly outputTokens: number;
  readonly error: string | undefined;
}

/** A whole text of OpenAI's API in one JSON answer. */
export class TextAnswer implements AnswerReader {
  readonly #chunks: Buffer[] = [];
  timesMs: readonly number[] = [];
  outputTokens = 0;
  error: string | undefined;

  push(chunk: Uint8Array): void {
    // The connection uses its memory again.
    this.#chunks.push(Buffer.from(chunk));
  }

  finish(atMs: number): void {
    this.timesMs = [atMs];
    const answer = parseJson(Buffer.concat(this.#chunks).toString());
    this.outputTokens = tokensOf(answer);
    if (field(answer, "choices") === undefined) this.error = "the answer has no choices; check --endpoint";
  }
}
