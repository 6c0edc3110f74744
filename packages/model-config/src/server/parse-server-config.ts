import { isMessage } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { MessageBuilder } from "../text/build-message.ts";
import { messagesOf } from "../text/foreign-root.ts";
import { parseTree } from "../text/parse-tree.ts";
import type { Problems, Span } from "../text/problems.ts";
import { stringOf } from "../text/scalar-value.ts";
import type { FieldNode, MessageNode } from "../text/tree.ts";

/** What a server configuration gives a model that does not say it itself. */
export interface ModelDefaults {
  readonly config: ModelConfig;
  /** Where it stands, 1-based. */
  readonly line: number;
}

export interface ParsedServerConfig {
  /** False when the text has neither block: it is some other file, such as the configuration of one model. */
  readonly recognised: boolean;
  readonly models: ReadonlyMap<string, ModelDefaults>;
  /** Settings by backend, then key. */
  readonly backends: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

const ROOTS = ["model_config_list", "backend_config"];

/**
 * Reads the configuration of a whole server: `model_config_list` (defaults of models, by name) and `backend_config` (settings
 * of backends), in the text format of config.pbtxt. Never throws.
 */
export function parseServerConfig(text: string, options: { readonly file?: string } = {}): ParsedServerConfig {
  const { document, problems } = parseTree(text, options.file);
  const recognised = document.fields.some(({ label }) => ROOTS.includes(label));
  const reader = new Reader(document.text, problems);
  if (recognised) for (const field of document.fields) reader.root(field);
  const diagnostics = problems.list.toSorted((a, b) => a.offset - b.offset || a.endOffset - b.endOffset);
  return { recognised, models: reader.models, backends: reader.backends, diagnostics };
}

class Reader {
  readonly models = new Map<string, ModelDefaults>();
  readonly backends = new Map<string, Map<string, string>>();
  readonly #text: string;
  readonly #problems: Problems;

  constructor(text: string, problems: Problems) {
    this.#text = text;
    this.#problems = problems;
  }

  root(field: FieldNode): void {
    if (field.label === "model_config_list") {
      for (const entry of this.#blocks(field, "{ config { ... } }")) this.#entry(entry);
    } else if (field.label === "backend_config") {
      for (const entry of this.#blocks(field, '{ backend: "..." parameters { ... } }')) this.#backend(entry);
    } else {
      this.#unknown(
        field,
        "model_config_list and backend_config; what concerns one model belongs into <model>/config.pbtxt",
      );
    }
  }

  #entry(entry: MessageNode): void {
    for (const field of entry.fields) {
      if (field.label !== "config") this.#unknown(field, "config { ... }");
      else for (const config of this.#blocks(field, '{ name: "..." ... }')) this.#model(config, field);
    }
  }

  #model(node: MessageNode, field: FieldNode): void {
    const built = new MessageBuilder(this.#text, this.#problems).build(node.fields, ModelConfigSchema, "");
    const { message: config } = built;
    if (!isMessage(config, ModelConfigSchema)) return;
    const { name } = config;
    if (name === "") this.#add(field.name, "name", 'a config of the list needs a name; add name: "<model>"');
    else if (this.models.has(name))
      this.#add(field.name, "duplicate-field", `model '${name}' is in the list twice; keep one`);
    else this.models.set(name, { config, line: this.#problems.lineOf(node.offset) });
  }

  #backend(entry: MessageNode): void {
    const backend = textOf(entry, "backend");
    if (backend === undefined) {
      this.#add(entry, "missing-value", 'a backend_config needs the name of its backend; add backend: "python"');
      return;
    }
    for (const field of entry.fields) {
      if (field.label === "parameters") {
        for (const parameter of this.#blocks(field, '{ key: "..." value: "..." }')) this.#parameter(backend, parameter);
      } else if (field.label !== "backend") this.#unknown(field, "backend and parameters");
    }
  }

  #parameter(backend: string, node: MessageNode): void {
    const key = textOf(node, "key");
    const value = textOf(node, "value") ?? wrappedText(node);
    if (key === undefined || value === undefined) {
      this.#add(node, "map-entry", 'write parameters { key: "..." value: "..." }');
      return;
    }
    const settings = this.backends.get(backend) ?? new Map<string, string>();
    settings.set(key, value);
    this.backends.set(backend, settings);
  }

  #blocks(field: FieldNode, form: string): readonly MessageNode[] {
    const blocks = messagesOf(field.value);
    const others = field.value.kind === "list" ? field.value.items.length - blocks.length : 1 - blocks.length;
    if (others > 0) this.#add(field.name, "message-expected", `${field.label} takes blocks: ${field.label} ${form}`);
    return blocks;
  }

  #unknown(field: FieldNode, expected: string): void {
    this.#add(field.name, "unknown-field", `unknown field ${field.label}; expected ${expected}`);
  }

  #add(span: Span, code: Diagnostic["code"], message: string): void {
    this.#problems.add(span, { code, message });
  }
}

/** `value { string_value: "..." }`, as a model's own parameters are written. */
function wrappedText(node: MessageNode): string | undefined {
  const value = node.fields.find(({ label }) => label === "value")?.value;
  return value?.kind === "message" ? textOf(value, "string_value") : undefined;
}

function textOf(message: MessageNode, name: string): string | undefined {
  const value = message.fields.find(({ label }) => label === name)?.value;
  if (value?.kind !== "scalar") return undefined;
  return stringOf(value) ?? value.tokens.map(({ text }) => text).join("");
}
