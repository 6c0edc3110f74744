import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { WEBGPU_KEYS } from "../packages/inference-worker/src/backends/onnxruntime/plan-accelerators.ts";
import { ONNX_PARAMETERS } from "../packages/inference-worker/src/backends/onnxruntime/plan-onnx-session.ts";
import { TENSORRT_KEYS } from "../packages/inference-worker/src/backends/onnxruntime/tensorrt-options.ts";

const page = readFileSync(fileURLToPath(new URL("accelerators.md", import.meta.url)), "utf8");

it.each([
  ["parameters of a model", [...ONNX_PARAMETERS]],
  ["TensorRT keys", TENSORRT_KEYS],
  ["WebGPU keys", [...WEBGPU_KEYS]],
])("accelerators.md names all %s that the code knows", (_what, keys) => {
  expect(keys.length).toBeGreaterThan(3);
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});

it("accelerators.md names no TensorRT key that there is not", () => {
  // Names the keys are mapped to.
  const engine = /^trt_(?:fp16|bf16|int8)_|^trt_int8_|^trt_max_workspace_size$/;
  const named = new Set(page.match(/\btrt_[a-z0-9_]+/g));
  expect([...named].filter((key) => !TENSORRT_KEYS.includes(key) && !engine.test(key))).toEqual([]);
});
