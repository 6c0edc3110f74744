import { describe, expect, it } from "vitest";
import { applyEdits, hasErrors } from "../diagnostic.ts";
import { lint } from "../testing/check.ts";
import { parseModelConfig } from "./parse-model-config.ts";

/** Snippets as they circulate in articles about Triton. */
const RESNET = `name: "my_resnet"
platform: "pytorch"
max_batch_size: 16
instance_group [
{
count: 2
kind: KIND_GPU
gpus: [0]
}
]`;

const ACCELERATED = `name: "my_model"
platform: "pytorch_libtorch"
max_batch_size: 8
input [
{
name: "INPUT__0"
data_type: TYPE_FP32
dims: [ 3, 224, 224 ]
}
]
output [
{
name: "OUTPUT__0"
data_type: TYPE_FP32
dims: [ 1000 ]
}
]
instance_group [
{
count: 1
kind: KIND_GPU
gpus: [ 0 ]
}
]
optimization_config {
execution_accelerators {
gpu_execution_accelerator : [
{
name : "tensorrt"
parameters {
key: "precision"
value {
string_value: "fp16"
}
}
}
]
}
}`;

const SERVER_ROOT = `model_config_list: [
{
config: {
name: "my_resnet"
platform: "pytorch"
max_batch_size: 16
instance_group: [
{
count: 2
kind: KIND_GPU
gpus: [0]
}
]
}
}
]
backend_config: [
{
backend: "python"
parameters: {
key: "shm-default-size"
value: "4294967296" # 4GB
}
}
]`;

const VALID = {
  "two GPU groups": `instance_group [
{
count: 1
kind: KIND_GPU
gpus: [0]
},
{
count: 1
kind: KIND_GPU
gpus: [1]
}
]`,
  "queue delay": "dynamic_batching {\n    max_queue_delay_microseconds: 100\n}",
  "two GPUs": "instance_group [\n  {\n    count: 2\n    kind: KIND_GPU\n    gpus: [ 0, 1 ]\n  }\n]",
  tensorrt: `optimization {
  execution_accelerators {
    gpu_execution_accelerator : [ {
      name : "tensorrt"
      parameters { key: "precision_mode" value: "FP16" }
    }]
  }
}`,
  openvino: `optimization {
  execution_accelerators {
    cpu_execution_accelerator : [ { name : "openvino" } ]
  }
}`,
};

function summary(text: string): string[] {
  return parseModelConfig(text).diagnostics.map(({ line, code, severity }) => `${line} ${severity} ${code}`);
}

/** Applies the first fix until no error is left. */
function fixAll(text: string): string {
  let current = text;
  for (let round = 0; round < 20; round += 1) {
    const fix = parseModelConfig(current).diagnostics.find((diagnostic) => diagnostic.fix !== undefined)?.fix;
    if (fix === undefined) return current;
    current = applyEdits(current, fix.edits);
  }
  return current;
}

describe("snippets from articles", () => {
  it.each(Object.entries(VALID))("%s is valid", (_, text) => {
    expect(parseModelConfig(text).diagnostics).toEqual([]);
  });

  it("names the platform mistake", () => {
    expect(summary(RESNET)).toEqual(["2 warning unknown-platform"]);
    const texts = lint(RESNET, "my_resnet").map((diagnostic) => diagnostic.message);
    expect(texts).toContain("unexpected platform type 'pytorch' for my_resnet");
  });

  it("names the wrong block, the parameter and the value shape", () => {
    expect(summary(ACCELERATED)).toEqual([
      "25 error unknown-field",
      "31 warning unknown-parameter",
      "32 error scalar-expected",
    ]);
  });

  it("explains that a server-wide list is no model config", () => {
    expect(summary(SERVER_ROOT)).toEqual([
      "1 error unknown-field",
      "5 warning unknown-platform",
      "17 error unknown-field",
    ]);
    const [list, , backend] = parseModelConfig(SERVER_ROOT).diagnostics;
    expect(list?.message).toContain("<model>/config.pbtxt");
    expect(backend?.message).toContain("--backend-config=python,shm-default-byte-size=4294967296");
  });

  it.each([RESNET, ACCELERATED, SERVER_ROOT])("is valid after its fixes", (text) => {
    const fixed = parseModelConfig(fixAll(text));
    expect(hasErrors(fixed.diagnostics)).toBe(false);
    expect(fixed.diagnostics).toEqual([]);
    expect(fixed.config?.platform).toBe("pytorch_libtorch");
  });
});
