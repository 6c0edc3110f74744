import type { Backend } from "@nereid/inference-worker";
import { findLlamaModule } from "./find-module.ts";
import { LLAMA_PARAMETERS, readSettings } from "./settings.ts";

export interface LlamacppOptions {
  /** Path of the built runner; asked for when a model is loaded. */
  readonly runner: () => string;
  /** `module-directory` of `--backend-config=llamacpp,…`: where node-llama-cpp is. */
  readonly moduleDirectory: string | undefined;
}

/** GGUF models on llama.cpp: text generation and embeddings (docs/text-generation.md). */
export function llamacppBackend({ runner, moduleDirectory }: LlamacppOptions): Backend {
  return {
    name: "llamacpp",
    modelFiles: ["model.gguf"],
    parameters: LLAMA_PARAMETERS,
    planSession: (config) => {
      readSettings((key) => config.parameters[key]?.stringValue);
      return { session: { executionProviders: [{ name: "cpu" }], graphOptimization: "all", extra: {} }, warnings: [] };
    },
    program: async () => {
      const file = runner();
      return {
        command: { program: process.execPath, args: [file] },
        env: { NEREID_LLAMA_MODULE: findLlamaModule({ from: file, directory: moduleDirectory }) },
      };
    },
  };
}
