import { NereidError } from "@nereid/errors";

/** What a configuration's `parameters` say of a GGUF model. */
export interface LlamaSettings {
  /** Requests generated at the same time by one instance. */
  readonly parallel: number;
  /** Tokens of prompt and answer together, of one request; undefined: the model's own, at most 4096. */
  readonly contextSize: number | undefined;
  /** Undefined: the instance's share of the cores, less one for the server. */
  readonly threads: number | undefined;
  /** Layers on the GPU; undefined: all on an instance of kind GPU, none on others. */
  readonly gpuLayers: number | "max" | undefined;
  /** Tokens of an answer where the request does not say; undefined: as many as the context has room for. */
  readonly maxTokens: number | undefined;
  /** "embedding": the model is only asked for embeddings. */
  readonly task: "generate" | "embedding";
  /** Whether the prompt's beginning is taken from an earlier request of the same slot where they agree. */
  readonly cachePrompt: boolean;
  /** A Jinja template in place of the model's own; undefined: the model's, or ChatML. */
  readonly chatTemplate: string | undefined;
}

/** Keys of a configuration's `parameters` that are read here, and `openai`, which the server's OpenAI API reads. */
export const LLAMA_PARAMETERS: ReadonlySet<string> = new Set([
  "parallel",
  "context_size",
  "threads",
  "gpu_layers",
  "max_tokens",
  "task",
  "cache_prompt",
  "chat_template",
  "openai",
]);

const MOST_PARALLEL = 256;
const MOST_CONTEXT = 1 << 22;
const MOST_THREADS = 1024;
const DEFAULT_PARALLEL = 4;

/** INVALID_ARGUMENT when a value is not of its kind; the message names the key and what it takes. */
export function readSettings(text: (key: string) => string | undefined): LlamaSettings {
  const whole = (key: string, range: Range) => wholeNumber(key, text(key), range);
  const task = text("task") ?? "generate";
  if (task !== "generate" && task !== "embedding")
    throw wrong(`parameter 'task' must be "generate" or "embedding", got '${task.slice(0, 50)}'`);
  return {
    parallel: whole("parallel", { least: 1, most: MOST_PARALLEL }) ?? DEFAULT_PARALLEL,
    contextSize: whole("context_size", { least: 8, most: MOST_CONTEXT }),
    threads: whole("threads", { least: 1, most: MOST_THREADS }),
    gpuLayers: text("gpu_layers") === "max" ? "max" : whole("gpu_layers", { least: 0, most: 10_000 }),
    maxTokens: whole("max_tokens", { least: 1, most: MOST_CONTEXT }),
    task,
    cachePrompt: flag("cache_prompt", text("cache_prompt")) ?? true,
    chatTemplate: text("chat_template"),
  };
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function wholeNumber(key: string, text: string | undefined, { least, most }: Range): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(`parameter '${key}' must be a whole number from ${least} to ${most}, got '${text.slice(0, 50)}'`);
}

function flag(key: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "1" || text === "true") return true;
  if (text === "0" || text === "false") return false;
  throw wrong(`parameter '${key}' must be 0 or 1, got '${text.slice(0, 50)}'`);
}

function wrong(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
