import { isMessage } from "@bufbuild/protobuf";
import { type Diagnostic, hasErrors } from "../diagnostic.ts";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { MessageBuilder } from "./build-message.ts";
import { parseTree } from "./parse-tree.ts";
import type { ConfigDocument } from "./tree.ts";

export interface ParsedModelConfig {
  /** The lossless tree; present even for broken text, for editors. */
  readonly document: ConfigDocument;
  /** Present only when no diagnostic is an error. */
  readonly config?: ModelConfig;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a config.pbtxt (protobuf text format, model-config.md §9). Never throws, takes linear time, reports several
 * mistakes in one pass; texts over 1 Mi characters and blocks nested over 100 deep are refused.
 */
export function parseModelConfig(text: string, options: { readonly file?: string } = {}): ParsedModelConfig {
  const { document, problems } = parseTree(text, options.file);
  const built = new MessageBuilder(document.text, problems).build(document.fields, ModelConfigSchema, "");
  const diagnostics = problems.list.toSorted((a, b) => a.offset - b.offset || a.endOffset - b.endOffset);
  const { message } = built;
  if (hasErrors(diagnostics) || !isMessage(message, ModelConfigSchema)) return { document, diagnostics };
  return { document, config: message, diagnostics };
}
