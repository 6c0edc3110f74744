import { NereidError } from "@nereid/errors";

/** TensorRT keys of a configuration that are the engine's own by the same name (backends.md §3.2), and those among them that are flags. */
const PASSED: Readonly<Record<string, "flag" | "value">> = {
  trt_max_partition_iterations: "value",
  trt_min_subgraph_size: "value",
  trt_dla_enable: "flag",
  trt_dla_core: "value",
  trt_engine_cache_enable: "flag",
  trt_engine_cache_path: "value",
  trt_engine_cache_prefix: "value",
  trt_dump_subgraphs: "flag",
  trt_force_sequential_engine_build: "flag",
  trt_context_memory_sharing_enable: "flag",
  trt_layer_norm_fp32_fallback: "flag",
  trt_timing_cache_enable: "flag",
  trt_timing_cache_path: "value",
  trt_force_timing_cache: "flag",
  trt_detailed_build_log: "flag",
  trt_build_heuristics_enable: "flag",
  trt_sparsity_enable: "flag",
  trt_builder_optimization_level: "value",
  trt_auxiliary_streams: "value",
  trt_tactic_sources: "value",
  trt_extra_plugin_lib_paths: "value",
  trt_profile_min_shapes: "value",
  trt_profile_max_shapes: "value",
  trt_profile_opt_shapes: "value",
  trt_cuda_graph_enable: "flag",
  trt_dump_ep_context_model: "flag",
  trt_ep_context_file_path: "value",
  trt_ep_context_embed_mode: "value",
};

/** Every key that the accelerator takes. */
export const TENSORRT_KEYS: readonly string[] = [
  "precision_mode",
  "max_workspace_size_bytes",
  "int8_calibration_table_name",
  "int8_use_native_calibration_table",
  ...Object.keys(PASSED),
];

const PRECISIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  FP32: {},
  FP16: { trt_fp16_enable: "1" },
  BF16: { trt_bf16_enable: "1" },
  INT8: { trt_int8_enable: "1" },
};

/** What the engine is built with when nothing else is said: 1 GiB. */
const WORKSPACE = String(1 << 30);

/**
 * The TensorRT provider's options for an accelerator's parameters. INVALID_ARGUMENT, with Triton's text, for a key it does not have, and for a value
 * that is not of its kind.
 */
export function tensorrtOptions(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const options: Record<string, string> = { trt_max_workspace_size: WORKSPACE };
  for (const [key, value] of Object.entries(parameters)) Object.assign(options, optionOf(key, value));
  return options;
}

function optionOf(key: string, value: string): Readonly<Record<string, string>> {
  switch (key) {
    case "precision_mode": {
      const precision = Object.hasOwn(PRECISIONS, value) ? PRECISIONS[value] : undefined;
      if (precision === undefined)
        throw invalid(
          `precision_mode '${value}' is none of ${Object.keys(PRECISIONS).join(", ")}; TensorRT takes them in capitals`,
        );
      return precision;
    }
    case "max_workspace_size_bytes":
      if (!/^\d{1,15}$/.test(value))
        throw invalid(`max_workspace_size_bytes must be a number of bytes, such as "${WORKSPACE}", got '${value}'`);
      return { trt_max_workspace_size: value };
    case "int8_calibration_table_name":
      return { trt_int8_calibration_table_name: value };
    case "int8_use_native_calibration_table":
      return { trt_int8_use_native_calibration_table: flag(key, value) };
    default: {
      const kind = Object.hasOwn(PASSED, key) ? PASSED[key] : undefined;
      if (kind === undefined)
        throw invalid(`unknown parameter '${key}' is provided for TensorRT Execution Accelerator`);
      return { [key]: kind === "flag" ? flag(key, value) : value };
    }
  }
}

function flag(key: string, value: string): string {
  if (value === "1" || value === "true") return "1";
  if (value === "0" || value === "false") return "0";
  throw invalid(`parameter '${key}' of the TensorRT accelerator must be 0, 1, true or false, got '${value}'`);
}

function invalid(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
