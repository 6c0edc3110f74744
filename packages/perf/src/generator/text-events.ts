import { SseParser } from "@nereid/client";

/** Pieces of a text that comes as OpenAI's server-sent events: when each came that was not empty, and how many tokens there were. */
export class TextEvents {
  readonly #parser = new SseParser();
  readonly #decoder = new TextDecoder();
  readonly timesMs: number[] = [];
  /** As the server said; 0 = it did not. */
  outputTokens = 0;
  error: string | undefined;

  push(chunk: Uint8Array, atMs: number): void {
    for (const { data } of this.#parser.push(this.#decoder.decode(chunk, { stream: true }))) {
      if (data === "[DONE]") continue;
      const piece = parse(data);
      if (piece === undefined) continue;
      const failure = field(piece, "error");
      if (failure !== undefined) this.error = JSON.stringify(failure).slice(0, 300);
      const told = field(field(piece, "usage"), "completion_tokens");
      if (typeof told === "number") this.outputTokens = told;
      if (textOf(piece) !== "") this.timesMs.push(atMs);
    }
  }
}

/** The text of a piece of a chat or of a completion; empty where it only says who speaks or why it ended. */
function textOf(piece: unknown): string {
  const choices = field(piece, "choices");
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const text = field(field(choice, "delta"), "content") ?? field(choice, "text");
  return typeof text === "string" ? text : "";
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name] ?? undefined;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
