import { lookup } from "../lookup.ts";
import { type Problem, replaceFix } from "./problems.ts";
import { stringOf } from "./scalar-value.ts";
import type { FieldNode, MessageNode, ValueNode } from "./tree.ts";

/** Parameter names of server-side backend configuration that people misremember. */
const BACKEND_PARAMETERS: Readonly<Record<string, string>> = {
  "shm-default-size": "shm-default-byte-size",
  "shm-size": "shm-default-byte-size",
  "shm-growth-size": "shm-growth-byte-size",
};

/** Messages of a value: itself, or the elements of a list. */
export function messagesOf(value: ValueNode): readonly MessageNode[] {
  if (value.kind === "message") return [value];
  return value.kind === "list" ? value.items.filter((item) => item.kind === "message") : [];
}

/** Inner `config { ... }` blocks of a `model_config_list`. */
export function innerConfigs(node: FieldNode): readonly MessageNode[] {
  return messagesOf(node.value)
    .flatMap((entry) => entry.fields)
    .filter((field) => field.label === "config")
    .flatMap((field) => messagesOf(field.value));
}

/**
 * Explains fields of files that are not a per-model config but get mistaken for one: TensorFlow Serving's
 * `model_config_list` and a `backend_config` block.
 */
export function explainForeignRoot(node: FieldNode, text: string): Problem | undefined {
  if (node.label === "model_config_list") return modelConfigList(node, text);
  return node.label === "backend_config" ? backendConfig(node) : undefined;
}

function modelConfigList(node: FieldNode, text: string): Problem {
  const inner = innerConfigs(node);
  const only = inner.length === 1 ? inner[0] : undefined;
  const first = only?.fields[0];
  const last = only?.fields.at(-1);
  return {
    code: "unknown-field",
    message:
      "model_config_list is not a per-model config: there is no list of models in one file; " +
      "put the inner config into <model>/config.pbtxt, one file per model",
    help: "Every model has a directory of its own with config.pbtxt and numbered version directories.",
    ...(first === undefined || last === undefined
      ? {}
      : {
          fix: replaceFix("Keep only the inner config", node, text.slice(first.offset, last.endOffset)),
        }),
  };
}

function backendConfig(node: FieldNode): Problem {
  const flags = messagesOf(node.value).flatMap(flagsOf);
  const shown = flags.length > 0 ? flags : ["--backend-config=python,shm-default-byte-size=<bytes>"];
  return {
    code: "unknown-field",
    message: `backend_config is not a per-model config; start the server with ${shown.join(" ")} instead`,
    help: "Backend settings are command line options of the server. The parameter for the Python backend's shared memory is shm-default-byte-size.",
    fix: replaceFix("Remove it", node, ""),
  };
}

function flagsOf(entry: MessageNode): string[] {
  const backend = textOf(entry, "backend") ?? "<backend>";
  return entry.fields
    .filter((field) => field.label === "parameters")
    .flatMap((field) => messagesOf(field.value))
    .map((parameter) => {
      const key = textOf(parameter, "key") ?? "<key>";
      return `--backend-config=${backend},${lookup(BACKEND_PARAMETERS, key) ?? key}=${textOf(parameter, "value") ?? "<value>"}`;
    });
}

function textOf(message: MessageNode, name: string): string | undefined {
  const value = message.fields.find((field) => field.label === name)?.value;
  return value?.kind === "scalar" ? stringOf(value) : undefined;
}
