import { tinyGguf } from "@nereid/llama-runner/testing";
import type { TestModel } from "./test-model.ts";

/** A llama of random weights, run by llama.cpp; `parameters` are those of its configuration. Without any it has no configuration. */
export function tinyLlama(name: string, parameters: Readonly<Record<string, string>> = {}): TestModel {
  const entries = Object.entries(parameters).map(
    ([key, value]) => `parameters { key: "${key}" value { string_value: "${value}" } }\n`,
  );
  return {
    name,
    files: {
      "1/model.gguf": tinyGguf(),
      ...(entries.length > 0 && { "config.pbtxt": `backend: "llamacpp"\n${entries.join("")}` }),
    },
  };
}
