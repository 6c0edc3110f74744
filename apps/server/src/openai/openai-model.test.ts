import type { ModelSpec, TensorSpec } from "@nereid/inference-worker";
import { describe, expect, it } from "vitest";
import { openaiModel } from "./openai-model.ts";

const tensor = (text: string): TensorSpec => {
  const [name = "", datatype = ""] = text.split(":");
  return {
    name,
    datatype: datatype as TensorSpec["datatype"],
    dims: [1],
    modelDims: [1],
    variable: false,
    optional: false,
    labels: [],
  };
};

function spec(inputs: readonly string[], outputs: readonly string[]): ModelSpec {
  const into = inputs.map(tensor);
  return {
    inputs: into,
    outputs: outputs.map(tensor),
    inputByName: new Map(into.map((input) => [input.name, input])),
  } as unknown as ModelSpec;
}

describe("whether a model is fit for OpenAI's API", () => {
  it.each<[string, readonly string[], readonly string[], string | undefined, readonly string[]]>([
    ["by its tensors", ["text_input:BYTES"], ["text_output:BYTES"], undefined, ["chat", "completion"]],
    [
      "for embeddings, too",
      ["text_input:BYTES"],
      ["text_output:BYTES", "embedding:FP32"],
      undefined,
      ["chat", "completion", "embedding"],
    ],
    ["not with another datatype", ["text_input:FP32"], ["text_output:BYTES"], undefined, []],
    ["not with other names", ["TEXT:BYTES"], ["ANSWER:BYTES"], undefined, []],
    ["with other names by its word", ["TEXT:BYTES"], ["ANSWER:BYTES"], "chat", ["chat"]],
    [
      "for several by its word",
      ["TEXT:BYTES"],
      ["A:BYTES", "V:FP32"],
      "completion, embedding",
      ["completion", "embedding"],
    ],
    ["not when it is not clear what is meant", ["A:BYTES", "B:BYTES"], ["C:BYTES"], "chat", []],
    ["not against its word", ["text_input:BYTES"], ["text_output:BYTES"], "none", []],
    ["not for what it has no output for", ["text_input:BYTES"], ["text_output:BYTES"], "embedding", []],
  ])("%s", (_, inputs, outputs, parameter, kinds) => {
    expect([...(openaiModel(spec(inputs, outputs), parameter)?.kinds ?? [])]).toEqual(kinds);
  });
});
