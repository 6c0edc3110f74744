import { NereidError } from "@nereid/errors";
import type { Engine } from "./engine.ts";
import type { Token } from "./engine-types.ts";
import type { Prompt } from "./read-request.ts";

/** Characters that one token stands for at most, in the vocabularies of today. */
const LONGEST_TOKEN = 256;

/** The tokens of a prompt, with room for an answer behind them. INVALID_ARGUMENT, with both numbers, when it does not fit. */
export function tokenizePrompt({ model, chatPrompt, contextSize }: Engine, prompt: Prompt): Token[] {
  const text = prompt.kind === "text" ? prompt.text : chatPrompt(prompt.messages);
  // Reading it takes time in which no heartbeat is answered.
  if (text.length > contextSize * LONGEST_TOKEN) throw tooLong(`the prompt has ${text.length} characters`, contextSize);
  const tokens = withBeginning(model.tokenize(text, true), model.tokens);
  if (tokens.length === 0) throw new NereidError("INVALID_ARGUMENT", "the text is empty");
  if (tokens.length >= contextSize) throw tooLong(`the prompt has ${tokens.length} tokens`, contextSize);
  return tokens;
}

/** An empty text is the mark of a beginning alone, also for models that put none before others. */
function withBeginning(tokens: Token[], { bos, shouldPrependBosToken }: Engine["model"]["tokens"]): Token[] {
  if (bos === null || tokens[0] === bos || (!shouldPrependBosToken && tokens.length > 0)) return tokens;
  return [bos, ...tokens];
}

function tooLong(what: string, contextSize: number): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `${what}, and the model's context has room for ${contextSize} tokens of prompt and answer together; shorten it, or raise the model's parameter context_size`,
  );
}
