import type { ModelSignature, ModelTensor } from "@nereid/inference-worker/runner-kit";
import type { LlamaSettings } from "./settings.ts";

const one = (name: string, datatype: ModelTensor["datatype"]): ModelTensor => ({ name, datatype, dims: [1] });
const optional = (tensor: ModelTensor): ModelTensor => ({ ...tensor, optional: true });

const PROMPT: readonly ModelTensor[] = [optional(one("text_input", "BYTES")), optional(one("messages", "BYTES"))];

const CONTROLS: readonly ModelTensor[] = [
  one("max_tokens", "INT32"),
  one("temperature", "FP32"),
  one("top_p", "FP32"),
  one("top_k", "INT32"),
  one("min_p", "FP32"),
  one("seed", "INT64"),
  { name: "stop", datatype: "BYTES", dims: [-1] },
  one("repeat_penalty", "FP32"),
  one("frequency_penalty", "FP32"),
  one("presence_penalty", "FP32"),
  one("stream", "BOOL"),
  one("grammar", "BYTES"),
  one("json_schema", "BYTES"),
];

const EMBEDDING: readonly ModelTensor[] = [
  { name: "embedding", datatype: "FP32", dims: [-1] },
  one("prompt_tokens", "INT32"),
];

/** Inputs and outputs of a GGUF model, which the configuration may leave out. */
export function llamaSignature({ task }: Pick<LlamaSettings, "task">): ModelSignature {
  if (task === "embedding")
    return {
      inputs: [one("text_input", "BYTES")],
      outputs: EMBEDDING,
      execution: "requests",
      config: { decoupled: true },
    };
  return {
    inputs: [...PROMPT, ...CONTROLS.map(optional)],
    outputs: [
      one("text_output", "BYTES"),
      one("finish_reason", "BYTES"),
      one("completion_tokens", "INT32"),
      ...EMBEDDING,
    ],
    execution: "requests",
    config: { decoupled: true },
  };
}
