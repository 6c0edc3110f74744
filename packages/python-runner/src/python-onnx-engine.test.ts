import { expect, it } from "vitest";
import { onnxruntimePackage } from "./python-onnx-engine.ts";

it.each([
  { onGpu: true, cpuAccelerators: [], expected: "onnxruntime-gpu" },
  // On a GPU the accelerators of the processor have no effect.
  { onGpu: true, cpuAccelerators: ["openvino"], expected: "onnxruntime-gpu" },
  { onGpu: false, cpuAccelerators: ["openvino"], expected: "onnxruntime-openvino" },
  { onGpu: false, cpuAccelerators: [], expected: "onnxruntime" },
])("$expected has the providers of $cpuAccelerators, on a GPU: $onGpu", ({ expected, ...asked }) => {
  expect(onnxruntimePackage(asked)).toBe(expected);
});
