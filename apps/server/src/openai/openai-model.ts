import type { ModelSpec, TensorSpec } from "@nereid/inference-worker";

export type OpenaiKind = "chat" | "completion" | "embedding";

const KINDS: readonly OpenaiKind[] = ["chat", "completion", "embedding"];

/** The tensors by which a model is reached over OpenAI's API. */
export interface OpenaiModel {
  readonly kinds: ReadonlySet<OpenaiKind>;
  /** BYTES: the prompt, or the text to embed. */
  readonly textInput: TensorSpec;
  /** BYTES: the conversation as JSON; without it chats are given to `textInput` as ChatML. */
  readonly messages: TensorSpec | undefined;
  /** BYTES: the answer, or the next piece of it. */
  readonly textOutput: TensorSpec | undefined;
  /** FP32 */
  readonly embedding: TensorSpec | undefined;
}

/**
 * Whether a model is fit for OpenAI's API, and for what. Its parameter `openai` ("chat", "completion", "embedding", several with commas,
 * or "none") decides; without one, tensors named `text_input` and `text_output` or `embedding` do. With one, the only BYTES input, the
 * only BYTES output and the only FP32 output may have any name.
 */
export function openaiModel(spec: ModelSpec, parameter: string | undefined): OpenaiModel | undefined {
  const said = parameter?.split(",").map((word) => word.trim());
  const lenient = said !== undefined;
  const textInput = pick(spec.inputs, { name: "text_input", datatype: "BYTES", lenient });
  if (textInput === undefined) return undefined;
  const textOutput = pick(spec.outputs, { name: "text_output", datatype: "BYTES", lenient });
  const embedding = pick(spec.outputs, { name: "embedding", datatype: "FP32", lenient });
  const able = (kind: OpenaiKind) => (kind === "embedding" ? embedding : textOutput) !== undefined;
  const kinds = new Set(KINDS.filter((kind) => able(kind) && (said?.includes(kind) ?? true)));
  if (kinds.size === 0) return undefined;
  const messages = spec.inputByName.get("messages");
  return { kinds, textInput, messages: messages?.datatype === "BYTES" ? messages : undefined, textOutput, embedding };
}

interface Wanted {
  readonly name: string;
  readonly datatype: string;
  readonly lenient: boolean;
}

function pick(tensors: readonly TensorSpec[], { name, datatype, lenient }: Wanted): TensorSpec | undefined {
  const fitting = tensors.filter((tensor) => tensor.datatype === datatype);
  const named = fitting.find((tensor) => tensor.name === name);
  return named ?? (lenient && fitting.length === 1 ? fitting[0] : undefined);
}
