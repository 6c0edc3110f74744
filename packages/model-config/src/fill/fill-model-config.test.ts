import { describe, expect, it } from "vitest";
import { read } from "../testing/check.ts";
import { fillModelConfig } from "./fill-model-config.ts";

function fill(text: string, versionEntries: readonly string[] = [], directoryName = "m") {
  return fillModelConfig(read(text), { directoryName, versionEntries });
}

function backend(text: string, entries: readonly string[] = [], name = "m"): string[] {
  const { config } = fill(text, entries, name);
  return [config.backend, config.platform, config.defaultModelFilename];
}

describe("fillModelConfig()", () => {
  it.each<[string, string[], string[]]>([
    ["", ["model.onnx"], ["onnxruntime", "onnxruntime_onnx", "model.onnx"]],
    ["", ["model.plan", "model.onnx"], ["tensorrt", "tensorrt_plan", "model.plan"]],
    ["", ["model.savedmodel"], ["tensorflow", "tensorflow_savedmodel", "model.savedmodel"]],
    ["", ["model.xml", "model.bin"], ["openvino", "", "model.xml"]],
    ["", ["model.pt"], ["pytorch", "pytorch_libtorch", "model.pt"]],
    ["", ["model.pt2"], ["pytorch", "torch_aoti", "model.pt2"]],
    ["", ["model.py"], ["python", "", "model.py"]],
    ['backend: "onnxruntime"', [], ["onnxruntime", "onnxruntime_onnx", "model.onnx"]],
    ['backend: "onnxruntime" default_model_filename: "net.onnx"', [], ["onnxruntime", "onnxruntime_onnx", "net.onnx"]],
    ['backend: "onnxruntime" platform: "wrong"', [], ["onnxruntime", "wrong", "model.onnx"]],
    ['platform: "onnxruntime_onnx"', [], ["onnxruntime", "onnxruntime_onnx", "model.onnx"]],
    ['platform: "tensorflow_graphdef"', [], ["tensorflow", "tensorflow_graphdef", "model.graphdef"]],
    ['platform: "libtorch"', [], ["pytorch", "libtorch", "model.pt"]],
    ['default_model_filename: "model.py"', [], ["python", "", "model.py"]],
    ['default_model_filename: "net.onnx"', ["net.onnx"], ["", "", "net.onnx"]],
    ['backend: "identity"', [], ["identity", "", ""]],
    ['platform: "ensemble"', ["model.onnx"], ["", "ensemble", ""]],
  ])("%s with %j", (text, entries, expected) => {
    expect(backend(text, entries)).toEqual(expected);
  });

  it("takes a custom backend from the model's name", () => {
    expect(backend("", [], "model.identity")).toEqual(["identity", "", "model.identity"]);
  });

  it("refuses a model nothing tells the backend of", () => {
    expect(fill("", ["weights.bin"]).diagnostics.map((diagnostic) => diagnostic.message)).toEqual([
      "Invalid model name: Could not determine backend for model 'm' with no backend in model configuration. " +
        "Expected model name of the form 'model.<backend_name>'.",
    ]);
  });

  it("fills name, version policy, sizes, idle time and pinned memory", () => {
    const { config } = fill('backend: "x" max_batch_size: 4 dynamic_batching { }');
    expect(config.name).toBe("m");
    expect(config.versionPolicy?.policyChoice).toMatchObject({ case: "latest", value: { numVersions: 1 } });
    expect(config.schedulingChoice).toMatchObject({ value: { preferredBatchSize: [4] } });
    expect(config.optimization?.inputPinnedMemory?.enable).toBe(true);
    expect(config.optimization?.outputPinnedMemory?.enable).toBe(true);
    const sequence = fill('backend: "x" max_batch_size: 4 sequence_batching { oldest { } }').config.schedulingChoice;
    expect(sequence).toMatchObject({
      value: { maxSequenceIdleMicroseconds: 1_000_000n, strategyChoice: { value: { preferredBatchSize: [4] } } },
    });
  });

  it("keeps what is given and does not touch its argument", () => {
    const text =
      'name: "other" backend: "x" optimization { input_pinned_memory { enable: false } } dynamic_batching { }';
    const config = read(text);
    const filled = fillModelConfig(config, { directoryName: "m", versionEntries: [] }).config;
    expect(config).toEqual(read(text));
    expect(filled.name).toBe("other");
    expect(filled.optimization?.inputPinnedMemory?.enable).toBe(false);
    expect(filled.schedulingChoice).toMatchObject({ value: { preferredBatchSize: [] } });
    expect(fill('platform: "ensemble"').config.optimization).toBeUndefined();
  });
});
