import { parseModelConfig } from "@nereid/model-config";
import { byteSizeOf, DATATYPES } from "@nereid/protocol";
import { describe, expect, it } from "vitest";
import { compileSamples } from "./compile-samples.ts";
import { randomTensor, zeroTensor } from "./fill-tensor.ts";

const FILES: Readonly<Record<string, Uint8Array>> = {
  long: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0),
  short: Uint8Array.of(1, 2),
  texts: Uint8Array.of(1, 0, 0, 0, 97),
};

function compile(text: string, maxBatchSize = 8) {
  const { config } = parseModelConfig(text, { file: "config.pbtxt" });
  if (config === undefined) throw new Error("not a configuration");
  return compileSamples(
    config.modelWarmup,
    { name: "m", maxBatchSize },
    {
      readFile: (file) => {
        const found = FILES[file];
        if (found === undefined) throw new Error(`no ${file}`);
        return found;
      },
      random: () => 0.75,
    },
  );
}

const sample = (input: string, more = "batch_size: 1") =>
  `model_warmup { name: "s" ${more} inputs { key: "X" value: { ${input} } } }`;
const only = (input: string) => compile(sample(input))[0]?.inputs[0];

describe("compileSamples()", () => {
  it("makes every kind of input", () => {
    expect(only("data_type: TYPE_INT32 dims: [ 2, 1 ] zero_data: true")).toEqual({
      name: "X",
      datatype: "INT32",
      dims: [2, 1],
      bytes: new Uint8Array(8),
    });
    expect(only("data_type: TYPE_INT32 dims: [ 2 ] random_data: true")?.bytes).toEqual(
      Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0),
    );
    // More than is needed is no mistake, as in Triton.
    expect(only('data_type: TYPE_INT32 dims: [ 2 ] input_data_file: "long"')?.bytes).toEqual(
      FILES["long"]?.subarray(0, 8),
    );
    expect(only('data_type: TYPE_STRING dims: [ 1 ] input_data_file: "texts"')?.bytes).toEqual(FILES["texts"]);
    for (const kind of ["zero", "random"])
      expect(only(`data_type: TYPE_STRING dims: [ 2 ] ${kind}_data: true`)?.bytes).toEqual(new Uint8Array(8));
  });

  it("reads counts and batch sizes: 0 executions are one, and a batch of 0 is none", () => {
    const input = "data_type: TYPE_BOOL dims: [ 1 ] zero_data: true";
    expect(compile(sample(input, "batch_size: 4 count: 3"))).toMatchObject([{ name: "s", batchSize: 4, count: 3 }]);
    expect(compile(sample(input, "batch_size: 1 count: 0"))).toMatchObject([{ count: 1 }]);
    expect(compile(sample("data_type: TYPE_BOOL dims: [ -1 ]", "count: 1"))).toEqual([]);
  });

  it.each([
    [
      "data_type: TYPE_FP32 dims: [ -1 ] zero_data: true",
      "warmup setting expects all variable-size dimensions are specified for input 'X'",
    ],
    ["data_type: TYPE_FP32 dims: [ 1 ]", "warmup setting expects input 'X' to have input_data_type set"],
    [
      'data_type: TYPE_FP32 dims: [ 4 ] input_data_file: "short"',
      "warmup setting expects 16 bytes, but the data provided from shortonly has 2 bytes",
    ],
    ['data_type: TYPE_FP32 dims: [ 4 ] input_data_file: "none"', "no none"],
    ["dims: [ 1 ] zero_data: true", "input 'X' of warmup sample 's' has no data_type"],
    ["data_type: TYPE_FP64 dims: [ 65536, 65536 ] zero_data: true", "would take 34359738368 bytes"],
  ])("refuses { %s }", (input, text) => {
    expect(() => compile(sample(input))).toThrow(text);
  });

  it("refuses a batch that the model does not take", () => {
    const input = "data_type: TYPE_BOOL dims: [ 1 ] zero_data: true";
    expect(() => compile(sample(input, "batch_size: 9"))).toThrow(
      "has batch_size 9, but the largest batch of model 'm' is 8",
    );
    expect(() => compile(sample(input, "batch_size: 2"), 0)).toThrow("is 1 (max_batch_size)");
  });
});

describe("zeroTensor() and randomTensor()", () => {
  it.each(DATATYPES)("fill %s", (datatype) => {
    const size = datatype === "BYTES" ? 4 : byteSizeOf(datatype);
    expect(zeroTensor(datatype, [2, 3])).toEqual(new Uint8Array(6 * size));
    expect(randomTensor(datatype, [2, 3], Math.random)).toHaveLength(6 * size);
    expect(randomTensor(datatype, [0, 3], Math.random)).toHaveLength(0);
  });

  it("give numbers from 0 to 1 in every type", () => {
    const values = (array: ArrayLike<number>) => [...Array.from(array)];
    const floats = new Float32Array(randomTensor("FP32", [9], () => 0.5).buffer);
    expect(values(floats)).toEqual(Array(9).fill(0.5));
    expect(values(new Float64Array(randomTensor("FP64", [1], () => 0.25).buffer))).toEqual([0.25]);
    // Half of the exponent's range: 0.5 up to 1.
    const halves = new Uint16Array(randomTensor("FP16", [100], Math.random).buffer);
    for (const bits of halves) expect((bits >= 0x3800 && bits < 0x3c00) || bits === 0x3c00).toBe(true);
    const brains = new Uint16Array(randomTensor("BF16", [100], Math.random).buffer);
    for (const bits of brains) expect(bits >= 0x3f00 && bits < 0x3f80).toBe(true);
    for (const datatype of ["BOOL", "INT8", "UINT8"] as const)
      for (const value of randomTensor(datatype, [50], Math.random)) expect([0, 1]).toContain(value);
    expect(new BigInt64Array(randomTensor("INT64", [1], () => 0.9).buffer)[0]).toBe(1n);
  });
});
