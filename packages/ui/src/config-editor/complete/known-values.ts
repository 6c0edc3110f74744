export interface KnownValue {
  readonly value: string;
  readonly note: string;
}

/** String values with a meaning, by schema path. */
export const KNOWN_VALUES: Readonly<Record<string, readonly KnownValue[]>> = {
  backend: [
    { value: "onnxruntime", note: "ONNX models; the backend this server runs" },
    { value: "python", note: "not on this server" },
    { value: "pytorch", note: "not on this server" },
    { value: "tensorrt", note: "not on this server" },
    { value: "tensorflow", note: "not on this server" },
    { value: "openvino", note: "not on this server" },
  ],
  platform: [
    { value: "onnxruntime_onnx", note: "ONNX models" },
    { value: "ensemble", note: "a pipeline of other models" },
    { value: "pytorch_libtorch", note: "not on this server" },
    { value: "tensorrt_plan", note: "not on this server" },
    { value: "tensorflow_savedmodel", note: "not on this server" },
    { value: "tensorflow_graphdef", note: "not on this server" },
  ],
  default_model_filename: [{ value: "model.onnx", note: "what ONNX models are called by default" }],
  "optimization.execution_accelerators.gpu_execution_accelerator.name": [
    { value: "tensorrt", note: "TensorRT inside ONNX Runtime" },
  ],
  "optimization.execution_accelerators.cpu_execution_accelerator.name": [
    { value: "openvino", note: "OpenVINO inside ONNX Runtime" },
  ],
  "optimization.execution_accelerators.gpu_execution_accelerator.parameters": [
    { value: "precision_mode", note: "FP32, FP16 or INT8" },
    { value: "max_workspace_size_bytes", note: "bytes" },
    { value: "trt_engine_cache_enable", note: "true or false" },
    { value: "trt_engine_cache_path", note: "a directory" },
  ],
  parameters: [
    { value: "intra_op_thread_count", note: "threads inside one operator; 0 = the server's choice" },
    { value: "inter_op_thread_count", note: "operators that run side by side" },
    { value: "memory_limit_bytes", note: "largest memory of the model's process, bytes" },
    { value: "execution_timeout_ms", note: "longest execution, milliseconds" },
    { value: "enable_mem_arena", note: "0 gives memory back after every execution" },
    { value: "enable_mem_pattern", note: "0 for inputs of ever changing shapes" },
  ],
};
