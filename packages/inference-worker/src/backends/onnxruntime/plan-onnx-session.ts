import type { ModelConfig } from "@nereid/model-config";
import type { SessionSettings } from "../../runner-protocol/messages.ts";
import type { SessionContext, SessionPlan } from "../backend.ts";
import { planAccelerators } from "./plan-accelerators.ts";

/** Parameters of Triton's onnxruntime backend that are read here, besides those every runner has (backends.md §3.1). */
export const ONNX_PARAMETERS: ReadonlySet<string> = new Set([
  "execution_mode",
  "session.use_device_allocator_for_initializers",
  "session.disable_prepacking",
  // Read where the engine's Python package runs the model.
  "EXECUTION_ENV_PATH",
  // Those that are named in a warning of their own.
  "cudnn_conv_algo_search",
  "gpu_mem_limit",
  "arena_extend_strategy",
  "do_copy_in_default_stream",
  "memory.enable_memory_arena_shrinkage",
]);

/** Deprecated there too, in favour of parameters of the accelerator. */
const OF_CUDA = ["cudnn_conv_algo_search", "gpu_mem_limit", "arena_extend_strategy", "do_copy_in_default_stream"];
const SHRINKAGE = "memory.enable_memory_arena_shrinkage";

/** Execution providers, optimization level and session entries of an ONNX model. INVALID_ARGUMENT where they cannot be honoured. */
export function planOnnxSession(config: ModelConfig, { instances }: SessionContext): SessionPlan {
  const { executionProviders, warnings } = planAccelerators(config, instances);
  return {
    session: { executionProviders, graphOptimization: graphOptimization(config), extra: sessionEntries(config) },
    warnings: [...warnings, ...unread(config)],
  };
}

/** Triton's levels: -1 basic, 0 and unset all, 1 extended, 2 none. */
function graphOptimization(config: ModelConfig): SessionSettings["graphOptimization"] {
  const level = config.optimization?.graph?.level ?? 0;
  if (level < 0) return "basic";
  if (level === 0) return "all";
  return level === 1 ? "extended" : "disabled";
}

/** Entries of the engine's session configuration, by the names it has for them. */
function sessionEntries(config: ModelConfig): SessionSettings["extra"] {
  const entries: Record<string, string> = {};
  for (const key of ["use_device_allocator_for_initializers", "disable_prepacking"]) {
    const value = config.parameters[`session.${key}`]?.stringValue;
    if (value !== undefined) entries[key] = value;
  }
  return entries;
}

function unread(config: ModelConfig): SessionPlan["warnings"] {
  const given = (key: string) => config.parameters[key] !== undefined;
  const warnings = OF_CUDA.filter(given).map((key) => ({
    code: "deprecated-parameter",
    message: `parameter '${key}' is not read here; give it to the accelerator: optimization { execution_accelerators { gpu_execution_accelerator [ { name: "cuda" parameters { key: "${key}" value: "…" } } ] } }`,
    path: `parameters.${key}`,
  }));
  const mode = config.parameters["execution_mode"]?.stringValue;
  const parallel = Number(config.parameters["inter_op_thread_count"]?.stringValue ?? 1) > 1;
  if (mode !== undefined && (mode === "1") !== parallel)
    warnings.push({
      code: "unread-parameter",
      message: `execution_mode '${mode}' has no effect with this inter_op_thread_count: nodes run beside each other where it is above 1, and one after the other otherwise`,
      path: "parameters.execution_mode",
    });
  if (given(SHRINKAGE))
    warnings.push({
      code: "unread-parameter",
      message: `parameter '${SHRINKAGE}' has no effect here: freed memory goes back to the system by itself; set enable_mem_arena to 0 to keep no arena at all`,
      path: `parameters.${SHRINKAGE}`,
    });
  return warnings;
}
