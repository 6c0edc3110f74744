import { createRequire } from "node:module";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import type { LlamaModel } from "./engine-types.ts";
import type { ChatMessage } from "./read-request.ts";

/** The form that most models know which bring none of their own. */
const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

interface Template {
  render(values: Readonly<Record<string, unknown>>): string;
}

/** Writes a conversation as the text that a model continues. */
export type ChatPrompt = (messages: readonly ChatMessage[]) => string;

interface Source {
  readonly model: LlamaModel;
  /** Of the configuration: goes before the model's own. */
  readonly given: string | undefined;
  /** Directory of node-llama-cpp, which brings the reader of such templates. */
  readonly packageDirectory: string;
}

/** The chat template: the configuration's, else the file's, else ChatML. INVALID_ARGUMENT when it cannot be read. */
export function chatPrompt({ model, given, packageDirectory }: Source): ChatPrompt {
  const own = model.fileInfo.metadata.tokenizer?.chat_template;
  const text = given ?? (typeof own === "string" ? own : CHATML);
  const require = createRequire(join(packageDirectory, "package.json"));
  const { Template } = require("@huggingface/jinja") as { readonly Template: new (text: string) => Template };
  const template = attempt("the chat template cannot be read", () => new Template(text));
  const { bosString, eosString } = model.tokens;
  return (messages) =>
    attempt("the chat template does not take these messages", () =>
      template.render({
        messages,
        add_generation_prompt: true,
        bos_token: bosString ?? "",
        eos_token: eosString ?? "",
        tools: null,
      }),
    );
}

function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new NereidError("INVALID_ARGUMENT", `${what}: ${NereidError.from(error).message}`);
  }
}
