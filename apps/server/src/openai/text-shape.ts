import { randomUUID } from "node:crypto";
import type { Usage } from "./text-answers.ts";

/** How answers of one endpoint are written. */
export interface TextShape {
  readonly id: string;
  whole(text: string, finishReason: string, usage: Usage | undefined): object;
  /** Undefined: there is no such event. */
  first(): object | undefined;
  piece(text: string): object;
  last(finishReason: string): object;
  usage(usage: Usage | undefined): object;
}

interface About {
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
}

/** `chat.completion` and its chunks. */
export function chatShape({ model, created }: About): TextShape {
  const id = `chatcmpl-${randomUUID()}`;
  const chunk = (choices: readonly object[]) => ({ id, object: "chat.completion.chunk", created, model, choices });
  const delta = (content: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }]);
  return {
    id,
    whole: (content, finish, usage) => ({
      id,
      object: "chat.completion",
      created,
      model,
      choices: [
        { index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason: finish },
      ],
      ...(usage && { usage }),
    }),
    first: () => delta({ role: "assistant", content: "" }),
    piece: (content) => delta({ content }),
    last: (finish) => delta({}, finish),
    usage: (usage) => ({ ...chunk([]), usage: usage ?? null }),
  };
}

/** `text_completion`, whole or in pieces. */
export function completionShape({ model, created }: About): TextShape {
  const id = `cmpl-${randomUUID()}`;
  const body = (choices: readonly object[]) => ({ id, object: "text_completion", created, model, choices });
  const choice = (text: string, finish: string | null) =>
    body([{ index: 0, text, logprobs: null, finish_reason: finish }]);
  return {
    id,
    whole: (text, finish, usage) => ({ ...choice(text, finish), ...(usage && { usage }) }),
    first: () => undefined,
    piece: (text) => choice(text, null),
    last: (finish) => choice("", finish),
    usage: (usage) => ({ ...body([]), usage: usage ?? null }),
  };
}
