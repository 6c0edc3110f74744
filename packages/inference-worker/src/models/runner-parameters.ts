import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";
import { WARM_UP_PARAMETER } from "../warm-up/batch-size-samples.ts";
import { ADMISSION_KEYS } from "./compile-admission.ts";

/** What a model's `parameters` say about its runner. Names are Triton's onnxruntime backend's where it has them. */
export interface RunnerParameters {
  readonly intraOpThreads: number | undefined;
  readonly interOpThreads: number;
  readonly arena: boolean;
  readonly memoryPattern: boolean;
  readonly memoryLimitBytes: number | undefined;
  readonly executionTimeoutMs: number | undefined;
  /** Processors that the runner may use. */
  readonly processorLimit: number | undefined;
  /** Keys nobody here reads. */
  readonly unknown: readonly string[];
}

/** More than any machine has cores; a million threads would take its memory before the load could fail. */
const MOST_THREADS = 1024;
/** What a timer can hold. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

const KNOWN = new Set([
  "intra_op_thread_count",
  "inter_op_thread_count",
  "enable_mem_arena",
  "enable_mem_pattern",
  "memory_limit_bytes",
  "execution_timeout_ms",
  "processor_limit",
  ...ADMISSION_KEYS,
  WARM_UP_PARAMETER,
]);

/** INVALID_ARGUMENT when a value is not of its kind; the message names the key and what it takes. */
export function readRunnerParameters(config: ModelConfig): RunnerParameters {
  const text = (key: string) => config.parameters[key]?.stringValue;
  return {
    intraOpThreads: wholeNumber(text("intra_op_thread_count"), "intra_op_thread_count", MOST_THREADS) || undefined,
    interOpThreads: wholeNumber(text("inter_op_thread_count"), "inter_op_thread_count", MOST_THREADS) || 1,
    arena: flag(text("enable_mem_arena"), "enable_mem_arena"),
    memoryPattern: flag(text("enable_mem_pattern"), "enable_mem_pattern"),
    memoryLimitBytes: wholeNumber(text("memory_limit_bytes"), "memory_limit_bytes", Number.MAX_SAFE_INTEGER),
    executionTimeoutMs: wholeNumber(text("execution_timeout_ms"), "execution_timeout_ms", LONGEST_TIMEOUT_MS),
    processorLimit: wholeNumber(text("processor_limit"), "processor_limit", MOST_THREADS) || undefined,
    unknown: Object.keys(config.parameters).filter((key) => !KNOWN.has(key)),
  };
}

function wholeNumber(text: string | undefined, key: string, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", `parameter '${key}' must be a whole number, got '${text.slice(0, 50)}'`);
  if (Number(text) > most)
    throw new NereidError("INVALID_ARGUMENT", `parameter '${key}' must be at most ${most}, got ${text}`);
  return Number(text);
}

function flag(text: string | undefined, key: string): boolean {
  if (text === undefined) return true;
  if (text === "0" || text === "false") return false;
  if (text === "1" || text === "true") return true;
  throw new NereidError("INVALID_ARGUMENT", `parameter '${key}' must be 0 or 1, got '${text}'`);
}
