import type { Diagnostic } from "../diagnostic.ts";
import { fillModelConfig } from "../fill/fill-model-config.ts";
import type { ModelConfig } from "../gen/model_config_pb.ts";
import { parseModelConfig } from "../text/parse-model-config.ts";
import { validateModelConfig } from "../validate/validate-model-config.ts";

/** Reads a text that must be valid. */
export function read(text: string): ModelConfig {
  const { config, diagnostics } = parseModelConfig(text);
  if (config === undefined) throw new Error(diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
  return config;
}

/** What a linter shows for a text: the reader's findings and, when it can be read, the validator's. */
export function lint(text: string, directoryName = "m"): readonly Diagnostic[] {
  const { document, config, diagnostics } = parseModelConfig(text);
  if (config === undefined) return diagnostics;
  const filled = fillModelConfig(config, { directoryName, versionEntries: ["model.onnx"], document });
  const context = { directoryName, io: "required", document, gpus: [], cudaBuild: true } as const;
  return [...diagnostics, ...filled.diagnostics, ...validateModelConfig(filled.config, context)];
}
