import { describe, expect, it } from "vitest";
import { read } from "../testing/check.ts";
import { type ValidationContext, validateModelConfig } from "./validate-model-config.ts";

const CONTEXT: ValidationContext = { directoryName: "m", io: "required", gpus: [], cudaBuild: true };

function errors(text: string, context: Partial<ValidationContext> = {}): string[] {
  const base = text.includes("backend") || text.includes("platform") ? "" : 'backend: "onnxruntime"';
  const config = read(`name: "m" ${base} ${text}`);
  return validateModelConfig(config, { ...CONTEXT, ...context })
    .filter((diagnostic) => diagnostic.severity === "error")
    .map((diagnostic) => diagnostic.message);
}

const dynamic = (body: string) => `max_batch_size: 8 dynamic_batching { ${body} }`;
const sequence = (body: string) => `max_batch_size: 8 sequence_batching { ${body} }`;
const control = (body: string) => sequence(`control_input { name: "C" control { ${body} } }`);
const input = (body: string) => `input { name: "x" data_type: TYPE_FP32 ${body} }`;
const START = "int32_false_true: [ 0, 1 ]";

describe("validateModelConfig()", () => {
  it.each([
    ["max_batch_size: -1", "'max_batch_size' must be non-negative value for m"],
    ['platform: "pytorch"', "unexpected platform type 'pytorch' for m"],
    ['platform: "x" backend: "onnxruntime"', "unexpected 'platform' and 'backend' pair, got:x, onnxruntime"],
    [
      "ensemble_scheduling { step { } }",
      "Ensemble model 'm' must have platform type 'ensemble' and empty backend type",
    ],
    [dynamic("preferred_batch_size: 0"), "dynamic batching preferred size must be positive for m"],
    [dynamic("preferred_batch_size: 9"), "dynamic batching preferred size must be <= max batch size for m"],
    [dynamic("priority_levels: 2"), "default priority level must be in range [1, 2] for m"],
    [
      dynamic("priority_levels: 2 default_priority_level: 1 priority_queue_policy { key: 3 value { } }"),
      "priority queue policy must have priority level in range [1, 2] for m",
    ],
    [
      dynamic("priority_levels: 2 default_priority_level: 1 preserve_ordering: true"),
      "Only one priority level is allowed when 'preserve_ordering' is true for m",
    ],
    [
      dynamic("preserve_ordering: true default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 1 }"),
      "Queue policy can not have DELAY as timeout action when 'preserve_ordering' is true for m",
    ],
    [
      `${sequence("")} response_cache { enable: true }`,
      "Response Cache does not currently support model m with sequence batching scheduler. Please disable the response cache.",
    ],
    [
      "model_transaction_policy { decoupled: true } response_cache { enable: true }",
      "Response Cache does not currently support model m with 'decoupled' transaction policy. Please disable the response cache.",
    ],
    [
      sequence("direct { minimum_slot_utilization: 1.5 }"),
      "sequence batching minimum slot utilization must be in range (0.0, 1.0] for m",
    ],
    [
      "model_metrics { metric_control { histogram_options { buckets: 1 } } }",
      "metric control must specify 'metric_identifier'",
    ],
    [
      "model_metrics { metric_control { metric_identifier { } histogram_options { buckets: 1 } } }",
      "metric identifier must specify non-empty 'family'",
    ],
    [
      'model_metrics { metric_control { metric_identifier { family: "f" } } }',
      "metric control must specify 'histogram_options'",
    ],
    [
      'model_metrics { metric_control { metric_identifier { family: "f" } histogram_options { } } }',
      "histogram options must specify non-empty 'buckets'",
    ],
    ["input { }", "model input must specify 'name' for m"],
    ['output { name: "y" dims: 1 }', "model output 'y' must specify 'data_type' for m"],
    [input(""), "model input 'x' must specify 'dims' for m"],
    [
      input("dims: 0"),
      "model input 'x' dimension must be integer >= 1, or -1 to indicate a variable-size dimension for m",
    ],
    [input("dims: [ 2, 3 ] reshape { shape: [ 5 ] }"), "model input 'x' has different size for dims and reshape for m"],
    [
      input("dims: [ -1, -1 ] reshape { shape: [ -1 ] }"),
      "model input 'x' has different number of variable-size dimensions for dims and reshape for m",
    ],
    [
      input("dims: [ 1 ] reshape { shape: [ ] }"),
      "model input 'x' cannot have empty reshape for non-batching model as scalar tensors are not supported for m",
    ],
    [input("dims: [ 2 ] format: FORMAT_NHWC"), "model input NHWC/NCHW require 3 dims for m"],
    [
      "instance_group { kind: KIND_MODEL gpus: 0 }",
      "instance group m_0 of model m has kind KIND_MODEL but specifies one or more GPUs",
    ],
  ])("%s", (text, message) => {
    expect(errors(text)[0]).toBe(message);
  });

  it.each([
    control(`kind: CONTROL_SEQUENCE_START`),
    control(`kind: CONTROL_SEQUENCE_START int32_false_true: [ 0 ]`),
    control(`kind: CONTROL_SEQUENCE_START ${START} bool_false_true: [ false, true ]`),
    control(`kind: CONTROL_SEQUENCE_CORRID ${START} data_type: TYPE_UINT64`),
    control(`kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_FP32`),
    sequence(`control_input { control { kind: CONTROL_SEQUENCE_END ${START} } }`),
    sequence(`control_input { name: "A" control { ${START} } } control_input { name: "B" control { ${START} } }`),
    sequence("oldest { preferred_batch_size: 9 }"),
    'batch_input { kind: BATCH_ELEMENT_COUNT target_name: "t" data_type: TYPE_INT32 source_input: "nope" }',
    `${input("dims: 1")} batch_input { target_name: "t" data_type: TYPE_INT64 source_input: "x" }`,
    `${input("dims: 1")} batch_output { target_name: "t" source_input: "x" }`,
    `${input("dims: 1 is_shape_tensor: true")}`,
  ])("refuses %s", (text) => {
    expect(errors(text)).toHaveLength(1);
  });

  it.each([
    "dynamic_batching { }",
    control(`kind: CONTROL_SEQUENCE_START ${START}`),
    control("kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_STRING"),
    sequence("direct { minimum_slot_utilization: 0.0 }"),
    `max_batch_size: 1 ${input("dims: [ 1 ] reshape { shape: [ ] }")}`,
    input("dims: [ 2, 4, -1, 6 ] reshape { shape: [ 8, -1, 1, 6 ] }"),
    input("dims: [ 3, 4, 5 ] format: FORMAT_NCHW"),
    `${input("dims: 1")} output { name: "y" data_type: TYPE_BF16 dims: 1 label_filename: "sub/../labels.txt" }`,
    'backend: "my_own"',
  ])("accepts %s", (text) => {
    expect(errors(text)).toEqual([]);
  });

  it("checks the name against the directory", () => {
    expect(errors("", { directoryName: "d" })).toEqual([
      "unexpected directory name 'd' for model 'm', directory name must equal model name",
    ]);
  });

  it("leaves inputs and outputs to the backend when told so", () => {
    expect(errors("input { }", { io: "skip" })).toEqual([]);
  });

  it.each(["/etc/passwd", "../labels.txt", "a/../../b"])("refuses the label file %s", (name) => {
    const output = `output { name: "y" data_type: TYPE_FP32 dims: 1 label_filename: "${name}" }`;
    expect(errors(output)).toHaveLength(1);
  });

  it("tells GPUs apart", () => {
    const gpus = [
      { id: 0, computeCapability: 9 },
      { id: 1, computeCapability: 5.2 },
    ];
    expect(errors("instance_group { kind: KIND_GPU gpus: [ 0, 1 ] }", { gpus })).toEqual([
      "instance group m_0 of model m specifies invalid or unsupported gpu id 1. GPUs with at least the minimum required " +
        "CUDA compute compatibility of 6.000000 are: 0",
    ]);
    expect(errors("instance_group { kind: KIND_GPU }", { cudaBuild: false })).toEqual([
      "instance group m_0 of model m has kind KIND_GPU but server does not support GPUs",
    ]);
  });
});

const STEP = (model: string, from: string, to: string) =>
  `step { model_name: "${model}" model_version: -1 input_map { key: "i" value: "${from}" } output_map { key: "o" value: "${to}" } }`;
const ensemble = (steps: string, rest = "") =>
  `platform: "ensemble" input { name: "IN" data_type: TYPE_FP32 dims: 1 } output { name: "OUT" data_type: TYPE_FP32 dims: 1 } ${rest} ensemble_scheduling { ${steps} }`;

describe("ensembles", () => {
  it("accepts a pipeline", () => {
    expect(errors(ensemble(STEP("a", "IN", "t") + STEP("b", "t", "OUT")))).toEqual([]);
  });

  it.each([
    [ensemble(""), "must specify 'step' for ensemble 'm'"],
    [ensemble("step { }"), "must specify 'model_name' in step 0 of ensemble 'm'"],
    [ensemble(STEP("a", "IN", "OUT"), "optimization { }"), "optimization should not be specified for ensemble 'm'"],
    [ensemble(STEP("a", "IN", "OUT"), "model_warmup { }"), "model_warmup can not be specified for ensemble 'm'"],
    [
      ensemble(STEP("a", "IN", "OUT") + STEP("b", "IN", "OUT")),
      "ensemble tensor 'OUT' can appear in an output map only once for ensemble 'm' step 1",
    ],
    [ensemble(STEP("a", "x", "OUT")), "ensemble input 'IN' for ensemble m' is not used"],
    [ensemble(STEP("a", "IN", "x")), "ensemble output 'OUT' for ensemble m' is not used"],
    [ensemble(STEP("a", "IN", "x") + STEP("b", "IN", "OUT")), "ensemble tensor 'x' is unused in ensemble 'm'"],
    [
      ensemble(STEP("a", "IN", "t") + STEP("b", "lost", "u") + STEP("c", "u", "OUT") + STEP("d", "t", "OUT2")),
      "output 'OUT' for ensemble 'm' is not written: at least one of its depending tensors, 'lost', is not connected",
    ],
  ])("%s", (text, message) => {
    expect(errors(text)).toContain(message);
  });
});
