import { describe, expect, it } from "vitest";
import { applyEdits } from "../diagnostic.ts";
import { printModelConfig } from "../edit/print-model-config.ts";
import { read } from "../testing/check.ts";
import { parseModelConfig } from "../text/parse-model-config.ts";
import { checkAgainstOnnx } from "./check-against-onnx.ts";
import { completeFromOnnx } from "./complete-from-onnx.ts";
import { modelDimsOf } from "./model-dims-of.ts";
import type { OnnxSignature } from "./onnx-signature.ts";

const BATCHED: OnnxSignature = {
  inputs: [
    { name: "x", datatype: "FP32", dims: ["N", 3, "W"] },
    { name: "s", datatype: "BYTES", dims: [-1] },
  ],
  outputs: [{ name: "y", datatype: "INT64", dims: ["N", 16] }],
};
const FIXED: OnnxSignature = {
  inputs: [{ name: "x", datatype: "FP32", dims: [2, 3] }],
  outputs: [{ name: "y", datatype: "FP32", dims: [] }],
};

function complete(text: string, signature: OnnxSignature, defaultMaxBatchSize = 4): string {
  const { config, diagnostics } = completeFromOnnx(read(`name: "m" ${text}`), signature, { defaultMaxBatchSize });
  return diagnostics.length > 0
    ? diagnostics.map((diagnostic) => diagnostic.message).join("\n")
    : printModelConfig(config);
}

describe("completeFromOnnx()", () => {
  it("fills a batching model", () => {
    expect(read(complete("", BATCHED))).toEqual(
      read(`name: "m" max_batch_size: 4 dynamic_batching { preferred_batch_size: 4 }
        input [ { name: "x" data_type: TYPE_FP32 dims: [ 3, -1 ] },
                { name: "s" data_type: TYPE_STRING dims: [ 1 ] reshape { shape: [ ] } } ]
        output { name: "y" data_type: TYPE_INT64 dims: 16 }`),
    );
  });

  it("fills a model of fixed shape without batching", () => {
    expect(read(complete("", FIXED))).toEqual(
      read(
        `name: "m" input { name: "x" data_type: TYPE_FP32 dims: [ 2, 3 ] } output { name: "y" data_type: TYPE_FP32 dims: 1 }`,
      ),
    );
  });

  it.each([
    ["", 0, undefined, 0],
    ["", 1, undefined, 1],
    ["max_batch_size: 7", 4, "dynamicBatching", 7],
    ["max_batch_size: 7 sequence_batching { }", 4, "sequenceBatching", 7],
  ])("chooses the scheduler for %j with default %i", (text, size, scheduler, max) => {
    const { config } = completeFromOnnx(read(text), BATCHED, { defaultMaxBatchSize: size });
    expect([config.schedulingChoice.case, config.maxBatchSize]).toEqual([scheduler, max]);
  });

  it("refuses a batch size the graph cannot serve", () => {
    expect(complete("max_batch_size: 2", FIXED)).toBe(
      "autofill failed for model 'm': model does not support batching while non-zero max_batch_size is specified",
    );
  });

  it("leaves a config with inputs and outputs alone", () => {
    const config = read('input { name: "a" } output { name: "b" }');
    expect(completeFromOnnx(config, BATCHED, { defaultMaxBatchSize: 4 }).config).toBe(config);
  });

  it("agrees with the check afterwards", () => {
    for (const signature of [BATCHED, FIXED]) {
      const { config } = completeFromOnnx(read(""), signature, { defaultMaxBatchSize: 4 });
      expect(checkAgainstOnnx(config, signature)).toEqual([]);
    }
  });
});

const MODEL: OnnxSignature = {
  inputs: [{ name: "x", datatype: "FP32", dims: [-1, 16] }],
  outputs: [{ name: "y", datatype: "FP32", dims: [-1, "K"] }],
  overridableInitializers: [{ name: "w", datatype: "FP32", dims: [4] }],
};

function check(text: string, signature = MODEL): string[] {
  return checkAgainstOnnx(read(`name: "m" ${text}`), signature).map((diagnostic) => diagnostic.message);
}

const X = 'input { name: "x" data_type: TYPE_FP32 dims: [ 16 ] }';

describe("checkAgainstOnnx()", () => {
  it.each([
    `max_batch_size: 2 ${X} output { name: "y" data_type: TYPE_FP32 dims: [ -1 ] }`,
    'input { name: "x" data_type: TYPE_FP32 dims: [ 5, 16 ] }',
    'input { name: "x" data_type: TYPE_FP32 dims: [ -1, 16 ] } input { name: "w" data_type: TYPE_FP32 dims: 4 optional: true }',
  ])("accepts %s", (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    [
      `max_batch_size: 2 input { name: "x" data_type: TYPE_FP32 dims: [ 16, 1 ] }`,
      "model 'm', tensor 'x': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 " +
        "dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, " +
        "making complete shape [-1,16,1])",
    ],
    ["", "unable to load model 'm', configuration expects 0 inputs, model provides 1"],
    ['input { name: "z" data_type: TYPE_FP32 dims: 1 }', "unexpected inference input 'z', allowed inputs are: x"],
    [
      `max_batch_size: 2 ${X} output { name: "z" data_type: TYPE_FP32 dims: 1 }`,
      "unexpected inference output 'z', allowed outputs are: y",
    ],
    [
      'max_batch_size: 2 input { name: "x" data_type: TYPE_INT8 dims: 16 }',
      "unable to load model 'm', configuration expects datatype TYPE_INT8 for input 'x', model provides TYPE_FP32",
    ],
    [
      `max_batch_size: 2 ${X} output { name: "y" data_type: TYPE_FP32 dims: [ 8 ] }`,
      "model 'm', tensor 'y': the model expects 2 dimensions (shape [-1,-1]) but the model configuration specifies 2 " +
        "dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, " +
        "making complete shape [-1,8])",
    ],
    [
      `max_batch_size: 2 ${X} input { name: "w" data_type: TYPE_FP32 dims: 4 optional: true }`,
      "unable to load model 'm', optional input 'w' is not supported for models that support batching",
    ],
    [
      'input { name: "x" data_type: TYPE_FP32 dims: [ -1, 15 ] }',
      "model 'm', tensor 'x': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 2 dimensions (shape [-1,15])",
    ],
  ])("%s", (text, message) => {
    expect(check(text)).toEqual([message]);
  });

  it("counts sequence controls as inputs and wants them in the model", () => {
    expect(check(`max_batch_size: 2 ${X} sequence_batching { control_input { name: "START" } }`)).toEqual([
      "unable to load model 'm', configuration expects 2 inputs, model provides 1",
      "configuration specified sequence control 'START', but model does not provide that input",
    ]);
  });

  it("offers to drop the batch dimension or the batch size", () => {
    const text = 'max_batch_size: 2\ninput { name: "x" data_type: TYPE_FP32 dims: [ -1, 16 ] }';
    const { config, document } = parseModelConfig(text);
    const [found] = config === undefined ? [] : checkAgainstOnnx(config, MODEL, { document });
    expect([found?.line, found?.column, found?.code]).toEqual([2, 46, "batch-dimension"]);
    expect(applyEdits(text, found?.fix?.edits ?? [])).toContain("dims: [ 16 ]");
    const fixed: OnnxSignature = { inputs: [{ name: "x", datatype: "FP32", dims: [1, 16] }], outputs: [] };
    const [batch] = config === undefined ? [] : checkAgainstOnnx(config, fixed, { document });
    expect(batch?.line).toBe(1);
    expect(applyEdits(text, batch?.fix?.edits ?? [])).toContain("max_batch_size: 0");
  });
});

describe("modelDimsOf()", () => {
  const SCALAR = { name: "y", datatype: "FP32", dims: [] } as const;

  it("gives a scalar no dims although the config says [ 1 ]: scalar models failed in the engine", () => {
    const { config } = completeFromOnnx(read(""), FIXED, { defaultMaxBatchSize: 4 });
    expect(config.output.map((output) => modelDimsOf(output, FIXED.outputs[0]))).toEqual([[]]);
    expect(config.input.map((input) => modelDimsOf(input, FIXED.inputs[0]))).toEqual([[2, 3]]);
  });

  it.each([
    ["dims: [ 1 ]", [1], undefined],
    ["dims: [ 1 ]", [1], { ...SCALAR, dims: [1] }],
    ["dims: [ 4 ]", [4], SCALAR],
    ["dims: [ 4 ] reshape { shape: [ 2, 2 ] }", [2, 2], { ...SCALAR, dims: [2, 2] }],
    ["dims: [ 1 ] reshape { shape: [ ] }", [], { ...SCALAR, dims: ["N"] }],
  ])("of %s is %j", (text, dims, signature) => {
    const [output] = read(`output { name: "y" ${text} }`).output;
    expect(output && modelDimsOf(output, signature)).toEqual(dims);
  });
});
