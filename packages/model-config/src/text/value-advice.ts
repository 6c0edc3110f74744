import { lookup } from "../lookup.ts";
import { type Problem, replaceFix } from "./problems.ts";
import { quote } from "./string-literal.ts";
import type { FieldNode, ScalarNode } from "./tree.ts";

const BACKENDS: Readonly<Record<string, string>> = {
  onnx: "onnxruntime",
  ort: "onnxruntime",
  onnxruntime_onnx: "onnxruntime",
  "onnx-runtime": "onnxruntime",
  torch: "pytorch",
  libtorch: "pytorch",
  pytorch_libtorch: "pytorch",
  trt: "tensorrt",
  tensorrt_plan: "tensorrt",
  tf: "tensorflow",
  py: "python",
  python3: "python",
  "llama.cpp": "llamacpp",
  llama_cpp: "llamacpp",
  "llama-cpp": "llamacpp",
  llama: "llamacpp",
  gguf: "llamacpp",
};

const PLATFORMS: Readonly<Record<string, string>> = {
  onnx: "onnxruntime_onnx",
  onnxruntime: "onnxruntime_onnx",
  pytorch: "pytorch_libtorch",
  torch: "pytorch_libtorch",
  torchscript: "pytorch_libtorch",
  tensorrt: "tensorrt_plan",
  trt: "tensorrt_plan",
  tensorflow: "tensorflow_savedmodel",
};

/** The backend to name instead of a platform that is spelled like one. */
const BACKEND_OF_PLATFORM: Readonly<Record<string, string>> = {
  onnx: "onnxruntime",
  onnxruntime: "onnxruntime",
  pytorch: "pytorch",
  torch: "pytorch",
  torchscript: "pytorch",
  tensorrt: "tensorrt",
  trt: "tensorrt",
  tensorflow: "tensorflow",
  python: "python",
  openvino: "openvino",
};

/** Backends that Triton has and this server has not. */
const NOT_SERVED: ReadonlySet<string> = new Set(["tensorrt"]);

const EXPORT_HELP =
  'This server does not run plan files: export the model to ONNX, and write backend: "onnxruntime" with the gpu_execution_accelerator "tensorrt"; with its parameter trt_engine_cache_enable the engine is built once and kept.';

/** The backend a mistaken backend name means, or undefined. */
export function meantBackend(backend: string): string | undefined {
  return lookup(BACKENDS, backend.toLowerCase());
}

/** What to write instead of a mistaken platform, in words; undefined when nothing comes to mind. */
export function platformHelp(platform: string): string | undefined {
  const backend = lookup(BACKEND_OF_PLATFORM, platform.toLowerCase());
  const meant = lookup(PLATFORMS, platform.toLowerCase());
  if (backend === undefined) return undefined;
  const write =
    meant === undefined
      ? `Write backend: ${quote(backend)} instead of the platform.`
      : `Write platform: ${quote(meant)} or, better, backend: ${quote(backend)}.`;
  return NOT_SERVED.has(backend) ? `${write} ${EXPORT_HELP}` : write;
}

/** Warns about backend and platform values that look right but name nothing. */
export function adviseRootValue(node: FieldNode, value: string): Problem | undefined {
  if (node.label === "backend") {
    const meant = meantBackend(value);
    if (meant === undefined || meant === value) return undefined;
    return {
      severity: "warning",
      code: "unknown-backend",
      message: `there is no backend ${quote(value)}; write backend: ${quote(meant)}`,
      path: "backend",
      ...(NOT_SERVED.has(meant) && { help: EXPORT_HELP }),
      fix: replaceFix(`Write ${quote(meant)}`, node.value, quote(meant)),
    };
  }
  const help = node.label === "platform" ? platformHelp(value) : undefined;
  if (help === undefined) return undefined;
  const meant = lookup(PLATFORMS, value.toLowerCase());
  const backend = lookup(BACKEND_OF_PLATFORM, value.toLowerCase()) ?? value;
  return {
    severity: "warning",
    code: "unknown-platform",
    message: `${quote(value)} is not a platform`,
    path: "platform",
    help,
    fix:
      meant === undefined
        ? replaceFix(`Write backend: ${quote(backend)}`, node, `backend: ${quote(backend)}`)
        : replaceFix(`Write ${quote(meant)}`, node.value, quote(meant)),
  };
}

const TENSORRT_PARAMETERS: Readonly<Record<string, string>> = {
  precision: "precision_mode",
  workspace_size: "max_workspace_size_bytes",
  max_workspace_size: "max_workspace_size_bytes",
  engine_cache: "trt_engine_cache_enable",
  engine_cache_enable: "trt_engine_cache_enable",
  engine_cache_path: "trt_engine_cache_path",
};

/** Warns about accelerator parameter names of the TensorRT execution provider that are nearly right. */
export function adviseAcceleratorParameter(key: ScalarNode, name: string): Problem | undefined {
  const meant = lookup(TENSORRT_PARAMETERS, name);
  if (meant === undefined) return undefined;
  return {
    severity: "warning",
    code: "unknown-parameter",
    message: `the accelerator has no parameter ${quote(name)}; write ${quote(meant)}`,
    fix: replaceFix(`Write ${quote(meant)}`, key, quote(meant)),
  };
}
