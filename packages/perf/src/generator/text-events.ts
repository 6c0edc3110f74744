import { SseParser } from "@nereid/client";
import type { AnswerReader } from "./text-answer.ts";
import { field, parseJson, tokensOf } from "./text-fields.ts";

/** Pieces of a text that comes as OpenAI's server-sent events: when each came that was not empty, and how many tokens there were. */
export class TextEvents implements AnswerReader {
  readonly #parser = new SseParser();
  readonly #decoder = new TextDecoder();
  readonly timesMs: number[] = [];
  /** As the server said; 0 = it did not. */
  outputTokens = 0;
  error: string | undefined;

  push(chunk: Uint8Array, atMs: number): void {
    for (const { data } of this.#parser.push(this.#decoder.decode(chunk, { stream: true }))) {
      if (data === "[DONE]") continue;
      const piece = parseJson(data);
      if (piece === undefined) continue;
      const failure = field(piece, "error");
      if (failure !== undefined) this.error = JSON.stringify(failure).slice(0, 300);
      this.outputTokens = Math.max(this.outputTokens, tokensOf(piece));
      if (textOf(piece) !== "") this.timesMs.push(atMs);
    }
  }

  /** Its pieces have come already. */
  finish(): void {}
}

/** The text of a piece of a chat or of a completion; empty where it only says who speaks or why it ended. */
function textOf(piece: unknown): string {
  const choices = field(piece, "choices");
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const text = field(field(choice, "delta"), "content") ?? field(choice, "text");
  return typeof text === "string" ? text : "";
}
