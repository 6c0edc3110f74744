import { badParameter } from "./openai-error.ts";
import type { Body } from "./read-controls.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** Messages with their contents as texts. INVALID_ARGUMENT for anything that is no text. */
export function readMessages({ messages }: Body): readonly ChatMessage[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw badParameter("messages", "'messages' must be an array with at least one message");
  return messages.map((message: Body | null, index) => {
    const at = `messages[${index}]`;
    const role = message?.["role"];
    if (typeof role !== "string") throw badParameter(at, `'${at}.role' must be a text`);
    const name = message?.["name"];
    return { role, content: contentOf(message?.["content"], at), ...(typeof name === "string" && { name }) };
  });
}

/** A prompt is one text; an array of one text is the same. */
export function readPrompt({ prompt }: Body): string {
  const only: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt;
  if (typeof only === "string") return only;
  throw badParameter("prompt", "'prompt' must be one text; send a request for each prompt, and no tokens");
}

const MOST_TEXTS = 2048;

/** The texts to embed. */
export function readEmbeddingInput({ input }: Body): readonly string[] {
  const list: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (list.length === 0 || list.length > MOST_TEXTS || !list.every((text): text is string => typeof text === "string"))
    throw badParameter("input", `'input' must be a text or an array of 1 to ${MOST_TEXTS} texts; tokens are not taken`);
  return list;
}

/** A conversation for models that take nothing but text. */
export function asChatml(messages: readonly ChatMessage[]): string {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
  return `${turns.join("")}<|im_start|>assistant\n`;
}

function contentOf(content: unknown, at: string): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => {
    const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
    return type === "text" && typeof text === "string" ? text : undefined;
  });
  if (parts.length === 0 || texts.includes(undefined))
    throw badParameter(at, `'${at}.content' must be a text, or parts of type text; images and sound are not taken`);
  return texts.join("");
}
