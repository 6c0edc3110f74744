import type { PythonEngine } from "@nereid/inference-worker";
import type { NeededPackage } from "./check-interpreter.ts";
import type { FindProgram } from "./program-of.ts";

/**
 * onnxruntime's Python package as the engine of ONNX models, for accelerators and custom operators that the built-in one does not have.
 * UNAVAILABLE with the line that installs the package that fits the model.
 */
export function pythonOnnxEngine(find: FindProgram): PythonEngine {
  return (subject) => {
    const onCpu = subject.config.optimization?.executionAccelerators?.cpuExecutionAccelerator ?? [];
    const install = onnxruntimePackage({
      onGpu: subject.instances.some(({ kind }) => kind === "KIND_GPU"),
      cpuAccelerators: onCpu.map(({ name }) => name),
    });
    return find(subject, { module: "onnxruntime", install });
  };
}

/** Only one of the packages can be in an environment: each has other providers. */
export function onnxruntimePackage({
  onGpu,
  cpuAccelerators,
}: {
  readonly onGpu: boolean;
  readonly cpuAccelerators: readonly string[];
}): NeededPackage["install"] {
  if (onGpu) return "onnxruntime-gpu";
  return cpuAccelerators.includes("openvino") ? "onnxruntime-openvino" : "onnxruntime";
}
