import type { TensorSignature } from "@nereid/services";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyRequest } from "./copy-request.ts";
import { firstDraft, type InputDraft, kindsOf } from "./draft.ts";
import { draftOfTensor } from "./from-request.ts";
import { imageSizeOf, imageValues } from "./image-values.ts";
import { readJsonValues } from "./json-values.ts";
import { makeInput, resize } from "./make-input.ts";
import { fromBase64, numberBytes, toBase64 } from "./number-bytes.ts";
import { randomValues } from "./random-values.ts";
import { readParameters } from "./read-parameters.ts";
import { readInputs, writeInputs } from "./search-params.ts";
import { percentile, timeParts } from "./time-parts.ts";

const signature = (datatype: string, shape: readonly number[]): TensorSignature => ({ name: "x", datatype, shape });

function make(datatype: string, shape: readonly number[], part: Partial<InputDraft>) {
  const input = signature(datatype, shape);
  return makeInput(input, { ...firstDraft(input), ...part });
}

/** The bytes that were made; the problem where there are none. */
function bytesOf(made: ReturnType<typeof makeInput>): readonly number[] | string {
  if (made.kind === "wrong") return made.problem;
  return "base64" in made.tensor ? [...fromBase64(made.tensor.base64)] : made.tensor.text.join("|");
}

describe("values become little-endian bytes", () => {
  it.each([
    ["FP32", "[1, -2]", [0, 0, 128, 63, 0, 0, 0, 192]],
    ["FP64", "[1, -2]", [0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 192]],
    ["FP16", "[1, 65504]", [0, 60, 255, 123]],
    ["BF16", "[1, -2]", [128, 63, 0, 192]],
    ["INT64", "[9007199254740993, -1]", [1, 0, 0, 0, 0, 0, 32, 0, 255, 255, 255, 255, 255, 255, 255, 255]],
    ["UINT64", "[18446744073709551615, 0]", [255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]],
    ["INT16", "[[258], [-2]]", [2, 1, 254, 255]],
    ["BOOL", "[true, 0]", [1, 0]],
    ["UINT8", "[0, 255]", [0, 255]],
  ])("%s %s", (datatype, text, bytes) => {
    expect(bytesOf(make(datatype, [-1], { kind: "values", shape: [2], text }))).toEqual(bytes);
  });

  it("texts stay texts, one a line or as JSON", () => {
    expect(bytesOf(make("BYTES", [2], { kind: "text", text: "a\nß" }))).toBe("a|ß");
    expect(bytesOf(make("BYTES", [2], { kind: "values", text: '["a\\n", "b"]' }))).toBe("a\n|b");
  });

  it.each([
    ["INT8", "[1, 200]", "value 2 does not fit into INT8 (-128 to 127)"],
    ["INT32", "[1, 0.5]", "value 2 is no whole number, which INT32 needs"],
    ["FP32", '[1, "a"]', "value 2 is no number"],
    ["BOOL", "[true, 2]", "value 2 is neither true nor false"],
    ["INT64", "[1, 9223372036854775808]", "value 2 does not fit into INT64"],
    ["FP32", "[1, 2, 3]", "the shape [2] has room for 2 values, there are 3; change the values or the sizes"],
    ["FP32", "", "write the values as a JSON list, as in [1, 2, 3]"],
  ])("%s %s is explained", (datatype, text, problem) => {
    expect(bytesOf(make(datatype, [-1], { kind: "values", shape: [2], text }))).toBe(problem);
  });

  it("what was made is put back into the form as what makes the same again", () => {
    const number = fc.record({
      datatype: fc.constantFrom("FP32", "FP16", "BF16", "FP64"),
      values: fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 20 }),
    });
    fc.assert(
      fc.property(number, ({ datatype, values }) => {
        const made = make(datatype, [-1], { kind: "values", shape: [values.length], text: JSON.stringify(values) });
        if (made.kind === "wrong") throw new Error(made.problem);
        const again = makeInput(signature(datatype, [-1]), draftOfTensor(signature(datatype, [-1]), made.tensor));
        expect(again).toEqual(made);
      }),
    );
  });
});

describe("random values", () => {
  it("are the same for the same seed, in their range, and whole where the datatype is", () => {
    const plan = { count: 500, datatype: "INT32", seed: 7, min: -2, max: 3 };
    const values = [...randomValues(plan)];
    expect(values).toEqual([...randomValues(plan)]);
    expect([...new Set(values)].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
    expect(values).not.toEqual([...randomValues({ ...plan, seed: 8 })]);
    expect(new Set(randomValues({ ...plan, datatype: "BOOL" }))).toEqual(new Set([0, 1]));
    for (const value of randomValues({ ...plan, datatype: "FP32" }))
      expect(Math.abs(value - 0.5)).toBeLessThanOrEqual(2.5);
  });

  it("of a range that the datatype has not are refused", () => {
    expect(bytesOf(make("UINT8", [1], { kind: "random", min: -1, max: 4 }))).toBe("UINT8 goes from 0 to 255");
    expect(bytesOf(make("FP32", [1], { kind: "random", min: 2, max: 1 }))).toBe(
      "the least value is above the greatest",
    );
  });
});

describe("pictures", () => {
  const draft = firstDraft(signature("FP32", [-1, 3, 2, 1]));
  const rgba = [255, 0, 51, 255, 0, 255, 102, 255];

  it("are put into the order and scale that is wanted", () => {
    const pixels = { rgba, width: 1, height: 2, channels: 3 } as const;
    expect([...imageValues(pixels, { ...draft.image, order: "nchw", scale: "byte" })]).toEqual([
      255, 0, 0, 255, 51, 102,
    ]);
    expect([...imageValues(pixels, { ...draft.image, order: "nhwc", scale: "unit" })]).toEqual([1, 0, 0.2, 0, 1, 0.4]);
    const whitened = { ...draft.image, order: "nchw", scale: "mean-std", mean: "0.5", std: "0.5, 0.5, 0.1" } as const;
    const values = imageValues(pixels, whitened);
    expect([...values].map((value) => Number(value).toFixed(3))).toEqual([
      "1.000",
      "-1.000",
      "-1.000",
      "1.000",
      "-3.000",
      "-1.000",
    ]);
    expect(imageValues(pixels, { ...whitened, std: "0" })).toBe("a deviation of 0 cannot be divided by");
    expect([...imageValues({ ...pixels, channels: 1 }, { ...draft.image, scale: "byte" })]).toEqual([82, 161]);
  });

  it("find their size in the shape, and say why there is none", () => {
    expect(imageSizeOf([1, 3, 20, 10], { order: "nchw", grey: false })).toEqual({ width: 10, height: 20, channels: 3 });
    expect(imageSizeOf([1, 20, 10, 3], { order: "nhwc", grey: false })).toEqual({ width: 10, height: 20, channels: 3 });
    expect(imageSizeOf([4, 784], { order: "nchw", grey: true })).toEqual({ width: 28, height: 28, channels: 1 });
    expect(imageSizeOf([1, 3, 20, 10], { order: "nchw", grey: true })).toBe("the shape has three channels: choose RGB");
    expect(imageSizeOf([4, 785], { order: "nchw", grey: true })).toBe("a row of 785 values is no square grey picture");
  });

  it("are made smaller by means, and repeated for a batch", () => {
    const grey = (value: number) => [value, value, value, 255];
    const picture = Uint8Array.from([...grey(0), ...grey(100), ...grey(50), ...grey(50)]);
    expect([...(resize({ rgba: picture, width: 2, height: 2 }, { width: 1, height: 1 }) ?? [])]).toEqual(grey(50));
    const file = { name: "p.png", base64: toBase64(picture), width: 2, height: 2 };
    const image = { ...draft.image, grey: true, scale: "byte" as const };
    expect(bytesOf(make("UINT8", [-1, 1], { kind: "image", shape: [3, 1], file, image }))).toEqual([50, 50, 50]);
    expect(bytesOf(make("FP32", [1, 4], { kind: "image", file: null, image }))).toBe("choose a picture");
  });
});

it("sounds are cut, or padded with silence", () => {
  const file = { name: "s.wav", base64: toBase64(numberBytes("FP32", [0.5, -1])) };
  const bytes = bytesOf(make("INT16", [3], { kind: "audio", file }));
  expect(bytes).toEqual([...numberBytes("INT16", [16_384, -32_767, 0])]);
  expect(bytesOf(make("FP32", [1], { kind: "audio", file }))).toEqual([...numberBytes("FP32", [0.5])]);
});

it("files must have as many bytes as the shape", () => {
  const file = { name: "raw", base64: toBase64(Uint8Array.from([1, 2, 3])) };
  expect(bytesOf(make("UINT8", [3], { kind: "file", file }))).toEqual([1, 2, 3]);
  expect(bytesOf(make("UINT16", [3], { kind: "file", file }))).toBe("the file has 3 bytes, the shape needs 6");
  expect(bytesOf(make("FP32", [-1], { kind: "zeros", shape: [8_000_000] }))).toBe(
    "more than 16 MiB: make a size smaller",
  );
});

it("every kind of every datatype starts as something that can be judged", () => {
  for (const datatype of ["FP32", "FP16", "BOOL", "INT64", "UINT8", "BYTES"]) {
    for (const kind of kindsOf({ datatype })) {
      const made = make(datatype, [-1, 4], { kind });
      expect(made.kind === "made" || made.problem.length > 0).toBe(true);
    }
  }
  expect(make("FP32", [-1, 4], {}).kind).toBe("made");
  expect(make("BYTES", [-1, 1], {}).kind).toBe("made");
});

it("kinds and sizes come back from the address; what makes no sense does not", () => {
  const inputs = [
    { kind: "random", shape: [1, 784] },
    { kind: "zeros", shape: [] },
  ] as const;
  expect(readInputs(writeInputs(inputs))).toEqual(inputs);
  expect(readInputs("evil.1~random.-1~random.a")).toEqual([null, null, null]);
  expect(readInputs(null)).toEqual([]);
});

it("parameters are texts, numbers, true and false", () => {
  expect(readParameters('{"a": 1, "b": "x", "c": true}')).toEqual({
    kind: "read",
    parameters: { a: 1, b: "x", c: true },
  });
  expect(readParameters('{"a": [1]}')).toEqual({
    kind: "wrong",
    problem: "'a' must be a text, a number, true or false",
  });
  expect(readParameters("[1]").kind).toBe("wrong");
});

it("the parts of the time follow each other and fill the whole", () => {
  const phases = { receive: 1, decode: 1, queue: 2, input: 1, infer: 4, output: 1 };
  const parts = timeParts({ wholeMs: 15 }, { phases, steps: null });
  expect(parts.map(({ label, startMs, ms }) => [label, startMs, ms]).slice(-2)).toEqual([
    ["Compute output", 9, 1],
    ["Network, send", 10, 5],
  ]);
  expect(timeParts({ wholeMs: 15 }, { phases: null, steps: null })).toEqual([]);
  const steps = [3, 9].map((atMs) => ({ atMs, outputs: [] }));
  expect(timeParts({ wholeMs: 15 }, { phases: null, steps }).map(({ startMs, ms }) => [startMs, ms])).toEqual([
    [0, 3],
    [3, 6],
  ]);
});

it("percentiles are by the nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile([7], 0.99), percentile([], 0.5)]).toEqual([
    50,
    99,
    7,
    null,
  ]);
});

it("a request is copied with every digit; a long one goes to a file", () => {
  const tensor = {
    name: "x",
    datatype: "INT64",
    shape: [1],
    base64: toBase64(numberBytes("INT64", [9007199254740993n])),
  } as const;
  const request = {
    protocol: "http",
    inputs: [tensor],
    classification: 2,
    parameters: { a: 1 },
    version: "3",
  } as const;
  const place = { server: "http://s:8000", model: "it's", outputs: ["y"] };
  const texts = copyRequest({
    ...place,
    request: { ...request, inputs: [...request.inputs].map((one) => ({ ...one, shape: [1] })) },
  });
  expect(texts.json).toBe(
    '{"parameters":{"a":1},"inputs":[{"name":"x","shape":[1],"datatype":"INT64","data":[9007199254740993]}],"outputs":[{"name":"y","parameters":{"classification":2}}]}',
  );
  expect(texts.curl).toContain("'http://s:8000/v2/models/it'\\''s/versions/3/infer'");
  expect(texts.cli).toContain("--version=3");
  expect(texts.needsFile).toBe(false);
  const long = { ...tensor, datatype: "UINT8" as const, shape: [501], base64: toBase64(new Uint8Array(501)) };
  const much = copyRequest({
    ...place,
    request: { protocol: "grpc", inputs: [long], classification: 0, parameters: {} },
  });
  expect(much.needsFile).toBe(true);
  for (const text of [much.curl, much.typescript, much.python, much.cli]) expect(text).toContain("request.json");
  expect(much.python).toContain("tritonclient.grpc");
});

it("JSON values of BYTES are texts only", () => {
  expect(readJsonValues('["a", 1]', "BYTES")).toEqual({
    kind: "wrong",
    problem: "value 2 is no text; put it in double quotes",
  });
});
