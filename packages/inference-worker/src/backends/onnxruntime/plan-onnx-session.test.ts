import { parseModelConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import type { InstanceSpec } from "../../models/model-spec.ts";
import { planAccelerators } from "./plan-accelerators.ts";
import { planOnnxSession } from "./plan-onnx-session.ts";

const GPU: InstanceSpec = { name: "m_0_0", kind: "KIND_GPU", device: 1 };
const CPU: InstanceSpec = { name: "m_0_0", kind: "KIND_CPU", device: 0 };

function configOf(text: string) {
  const { config } = parseModelConfig(`name: "m" backend: "onnxruntime"\n${text}`, { file: "config.pbtxt" });
  if (config === undefined) throw new Error(`the test's configuration is wrong: ${text}`);
  return config;
}

const accelerators = (text: string) => `optimization { execution_accelerators { ${text} } }`;
const tensorrt = (parameters = "") => accelerators(`gpu_execution_accelerator [ { name: "tensorrt" ${parameters} } ]`);
const parameter = (key: string, value: string) => `parameters { key: "${key}" value: "${value}" }`;
const plan = (text: string, ...instances: InstanceSpec[]) => planAccelerators(configOf(text), instances);

describe("execution providers of a configuration", () => {
  it("are CUDA and the processor on a GPU, and the processor elsewhere", () => {
    expect(plan("", GPU).executionProviders).toEqual([{ name: "cuda", deviceId: 1 }, { name: "cpu" }]);
    expect(plan("", CPU).executionProviders).toEqual([{ name: "cpu" }]);
    expect(plan("", CPU).needsPythonEngine).toBe(false);
  });

  it("have TensorRT first, CUDA below it, and its options by the engine's names", () => {
    const text = tensorrt(
      [
        parameter("precision_mode", "FP16"),
        parameter("max_workspace_size_bytes", "1073741824"),
        parameter("trt_engine_cache_enable", "true"),
        parameter("trt_profile_min_shapes", "x:1x3"),
      ].join(" "),
    );
    expect(plan(text, GPU)).toEqual({
      executionProviders: [
        {
          name: "tensorrt",
          deviceId: 1,
          options: {
            trt_max_workspace_size: "1073741824",
            trt_fp16_enable: "1",
            trt_engine_cache_enable: "1",
            trt_profile_min_shapes: "x:1x3",
          },
        },
        { name: "cuda", deviceId: 1 },
        { name: "cpu" },
      ],
      needsPythonEngine: true,
      warnings: [],
    });
    expect(plan(tensorrt(), GPU).needsPythonEngine).toBe(false);
  });

  it.each([
    ["precision_mode", "INT8", { trt_int8_enable: "1" }],
    ["precision_mode", "BF16", { trt_bf16_enable: "1" }],
    ["precision_mode", "FP32", {}],
    ["int8_calibration_table_name", "table", { trt_int8_calibration_table_name: "table" }],
    ["int8_use_native_calibration_table", "1", { trt_int8_use_native_calibration_table: "1" }],
    ["trt_cuda_graph_enable", "0", { trt_cuda_graph_enable: "0" }],
    ["trt_dla_core", "1", { trt_dla_core: "1" }],
  ])("map TensorRT's %s: %s", (key, value, expected) => {
    const [first] = plan(tensorrt(parameter(key, value)), GPU).executionProviders;
    expect(first?.options).toEqual({ trt_max_workspace_size: String(2 ** 30), ...expected });
  });

  it("pass the options of CUDA and OpenVINO on", () => {
    const cuda = accelerators(
      `gpu_execution_accelerator [ { name: "cuda" ${parameter("cudnn_conv_use_max_workspace", "1")} } ]`,
    );
    expect(plan(cuda, GPU).executionProviders[0]).toEqual({
      name: "cuda",
      deviceId: 1,
      options: { cudnn_conv_use_max_workspace: "1" },
    });
    const openvino = plan(accelerators('cpu_execution_accelerator [ { name: "openvino" } ]'), CPU);
    expect(openvino.executionProviders).toEqual([{ name: "openvino" }, { name: "cpu" }]);
    expect(openvino.needsPythonEngine).toBe(true);
  });

  it("say by name what has no effect on these instances", () => {
    const { executionProviders, warnings } = plan(tensorrt(parameter("precision_mode", "FP16")), CPU);
    expect(executionProviders).toEqual([{ name: "cpu" }]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "gpu_execution_accelerator 'tensorrt' has no effect: it is for instances on a GPU, and this model has none (instance_group { kind: KIND_GPU })",
    ]);
    const onGpu = plan(accelerators('cpu_execution_accelerator [ { name: "openvino" } ]'), GPU);
    expect(onGpu.warnings[0]?.message).toContain("'openvino' has no effect");
    expect(onGpu.needsPythonEngine).toBe(false);
  });

  it.each([
    [
      tensorrt(parameter("trt_engine_cash", "1")),
      "unknown parameter 'trt_engine_cash' is provided for TensorRT Execution Accelerator",
    ],
    [tensorrt(parameter("precision_mode", "fp16")), "precision_mode 'fp16' is none of FP32, FP16, BF16, INT8"],
    [tensorrt(parameter("trt_dla_enable", "yes")), "must be 0, 1, true or false, got 'yes'"],
    [tensorrt(parameter("max_workspace_size_bytes", "1GB")), "must be a number of bytes"],
    [
      accelerators('gpu_execution_accelerator [ { name: "openvino" } ]'),
      "unknown Execution Accelerator 'openvino' is requested (openvino is a cpu_execution_accelerator)",
    ],
    [accelerators('cpu_execution_accelerator [ { name: "tensorrt" } ]'), "(tensorrt is a gpu_execution_accelerator)"],
    [
      accelerators('gpu_execution_accelerator [ { name: "auto_io" } ]'),
      "unknown Execution Accelerator 'auto_io' is requested",
    ],
  ])("are refused in words: %s", (text, words) => {
    for (const instance of [GPU, CPU]) expect(() => plan(text, instance)).toThrow(words);
  });

  it("have one WebGPU instance in a process, and only the options it reads", () => {
    const webgpu = accelerators(
      `cpu_execution_accelerator [ { name: "webgpu" ${parameter("preferredLayout", "NHWC")} ${parameter("speed", "11")} } ]`,
    );
    const { executionProviders, warnings, needsPythonEngine } = plan(webgpu, CPU);
    expect(executionProviders).toEqual([{ name: "webgpu", options: { preferredLayout: "NHWC" } }, { name: "cpu" }]);
    expect(needsPythonEngine).toBe(false);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("parameter 'speed' is not read")]);
    expect(() => plan(webgpu, CPU, CPU)).toThrow("one instance in a process, and this model has 2");
  });
});

describe("the session of a configuration", () => {
  it.each([
    [-1, "basic"],
    [0, "all"],
    [1, "extended"],
    [2, "disabled"],
  ])("has for optimization level %i: %s", (level, expected) => {
    const config = configOf(`optimization { graph { level: ${level} } }`);
    expect(
      planOnnxSession(config, { gpus: { cudaBuild: false, gpus: [] }, instances: [CPU] }).session.graphOptimization,
    ).toBe(expected);
  });

  it("says where execution_mode contradicts the number of threads", () => {
    const text = (mode: string, threads: string) =>
      `parameters { key: "execution_mode" value { string_value: "${mode}" } } parameters { key: "inter_op_thread_count" value { string_value: "${threads}" } }`;
    const warningsOf = (mode: string, threads: string) =>
      planOnnxSession(configOf(text(mode, threads)), { gpus: { cudaBuild: false, gpus: [] }, instances: [CPU] })
        .warnings;
    expect(warningsOf("1", "4")).toEqual([]);
    expect(warningsOf("0", "1")).toEqual([]);
    for (const [mode, threads] of [
      ["1", "1"],
      ["0", "4"],
    ] as const)
      expect(warningsOf(mode, threads)).toMatchObject([{ path: "parameters.execution_mode" }]);
  });

  it("takes session entries, and names the parameters that are not read", () => {
    const text = (key: string, value: string) => `parameters { key: "${key}" value { string_value: "${value}" } }`;
    const config = configOf(
      [
        text("session.use_device_allocator_for_initializers", "1"),
        text("gpu_mem_limit", "1000"),
        text("memory.enable_memory_arena_shrinkage", "cpu:0"),
      ].join("\n"),
    );
    const { session, warnings } = planOnnxSession(config, { gpus: { cudaBuild: false, gpus: [] }, instances: [CPU] });
    expect(session.extra).toEqual({ use_device_allocator_for_initializers: "1" });
    expect(warnings.map(({ path }) => path)).toEqual([
      "parameters.gpu_mem_limit",
      "parameters.memory.enable_memory_arena_shrinkage",
    ]);
  });
});
