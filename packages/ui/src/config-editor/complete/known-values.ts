export interface KnownValue {
  readonly value: string;
  readonly note: string;
}

/** String values with a meaning, by schema path. */
export const KNOWN_VALUES: Readonly<Record<string, readonly KnownValue[]>> = {
  backend: [
    { value: "onnxruntime", note: "ONNX models" },
    { value: "python", note: "models written in Python" },
    { value: "javascript", note: "models written in JavaScript or TypeScript" },
    { value: "llamacpp", note: "text generation from GGUF files" },
    { value: "pytorch", note: "TorchScript and exported programs; needs torch" },
    { value: "tensorflow", note: "SavedModels and frozen graphs; needs tensorflow" },
    { value: "openvino", note: "OpenVINO's model.xml; needs openvino" },
    { value: "sklearn", note: "estimators in joblib or pickle; needs scikit-learn" },
    { value: "xgboost", note: "boosters in model.json or model.ubj; needs xgboost" },
    { value: "tensorrt", note: "not on this server" },
  ],
  platform: [
    { value: "onnxruntime_onnx", note: "ONNX models" },
    { value: "ensemble", note: "a pipeline of other models" },
    { value: "pytorch_libtorch", note: "TorchScript" },
    { value: "tensorrt_plan", note: "not on this server" },
    { value: "tensorflow_savedmodel", note: "SavedModels of TensorFlow and Keras" },
    { value: "tensorflow_graphdef", note: "frozen graphs of TensorFlow" },
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
