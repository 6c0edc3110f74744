import { DATATYPES, decodeTensorValues } from "@nereid/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type InputDataContext, parseInputData } from "./input-data.ts";
import { batchSteps } from "./request-inputs.ts";
import { seededRandom } from "./seeded-random.ts";
import { tensorData } from "./tensor-data.ts";
import { fixedShape } from "./tensor-plan.ts";

const context: InputDataContext = {
  file: "data.json",
  tensors: [
    { name: "IN", datatype: "FP32", shape: [-1], optional: false },
    { name: "TEXT", datatype: "BYTES", shape: [1], optional: true },
  ],
  shapes: new Map([["IN", [2]]]),
};
const read = (data: unknown) => parseInputData(JSON.stringify(data), context);
const floats = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);

describe("parseInputData()", () => {
  it("reads every form of a tensor", () => {
    const b64 = Buffer.from(floats([5, 6])).toString("base64");
    const [stream = []] = read({
      data: [
        { IN: [1, 2], TEXT: ["a"] },
        { IN: [[3], [4]] },
        { IN: { b64 } },
        { IN: { content: [7, 8, 9], shape: [3] } },
        { IN: { content: { b64 }, shape: [2] } },
      ],
    });
    expect(stream.map(([tensor]) => [tensor?.shape, [...(tensor?.bytes ?? [])]])).toEqual(
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8, 9],
        [5, 6],
      ].map((values) => [[values.length], [...floats(values)]]),
    );
    expect(stream[0]?.[1]).toMatchObject({ name: "TEXT", bytes: Buffer.from("\u0001\0\0\0a") });
    expect(stream[1]).toHaveLength(1);
  });

  it("keeps streams apart", () => {
    const streams = read({ data: [[{ IN: [1, 2] }, { IN: [3, 4] }], [{ IN: [5, 6] }]] });
    expect(streams.map((steps) => steps.length)).toEqual([2, 1]);
  });

  it.each([
    ["{", "it is not JSON"],
    ["[]", "it is no object"],
    ['{"data": []}', "no list with a request"],
    ['{"data": [[]]}', "data[0] is no list of requests"],
    ['{"data": [{"OTHER": [1]}]}', "data[0][0]: the model has no input 'OTHER'"],
    ['{"data": [{"TEXT": ["a"]}]}', "input 'IN' is missing"],
    ['{"data": [{"IN": [1]}]}', "data[0][0].IN: 1 values for a tensor of 2"],
    ['{"data": [{"IN": ["a", "b"]}]}', "data[0][0].IN"],
    ['{"data": [{"IN": [1, "b"]}]}', "data[0][0].IN"],
    ['{"data": [{"IN": {"content": [1], "shape": "1"}}]}', "'shape' is no list"],
    ['{"data": [{"IN": [1, 2]}], "validation_data": []}', "validation_data is not compared"],
  ])("refuses %s", (json, message) => {
    expect(() => parseInputData(json, context)).toThrow(message);
  });
});

it("tensorData() makes values of each datatype that are of the datatype, the same for the same seed", () => {
  const fill = fc.record({
    datatype: fc.constantFrom(...DATATYPES),
    count: fc.nat(50),
    seed: fc.nat(),
    zero: fc.boolean(),
  });
  fc.assert(
    fc.property(fill, ({ datatype, count, seed, zero }) => {
      const make = () =>
        tensorData(datatype, count, {
          kind: zero ? "zero" : "random",
          random: seededRandom(seed),
          stringLength: 7,
          stringData: undefined,
        });
      const values = decodeTensorValues(datatype, make());
      expect(values).toHaveLength(count);
      expect(make()).toEqual(make());
      for (const value of values) {
        if (typeof value === "number") expect(value >= 0 && value < 128).toBe(true);
        if (value instanceof Uint8Array) expect(value).toHaveLength(zero ? 0 : 7);
        if (zero && !(value instanceof Uint8Array)) expect(Number(value)).toBe(0);
      }
    }),
  );
});

it("batchSteps() takes the steps in turn, and refuses to join different shapes", () => {
  const step = (...values: number[]) => [
    { name: "IN", datatype: "FP32" as const, shape: [values.length], bytes: floats(values) },
  ];
  const batches = batchSteps([step(1), step(2), step(3)], 2, true);
  expect(batches.map(([tensor]) => [...(tensor?.bytes ?? [])])).toEqual(
    [
      [1, 2],
      [2, 3],
      [3, 1],
    ].map((values) => [...floats(values)]),
  );
  expect(batches[0]?.[0]?.shape).toEqual([2, 1]);
  expect(batchSteps([step(1)], 1, false)[0]?.[0]?.shape).toEqual([1]);
  expect(() => batchSteps([step(1), step(1, 2)], 2, true)).toThrow("different shapes");
});

it("fixedShape() takes the model's shape, or one that fits it", () => {
  const tensor = { name: "X", datatype: "FP32" as const, shape: [-1, 3], optional: false };
  expect(fixedShape(tensor, [5, 3])).toEqual([5, 3]);
  expect(() => fixedShape(tensor, undefined)).toThrow("variable dimensions");
  expect(() => fixedShape(tensor, [5, 4])).toThrow("does not fit");
  expect(() => fixedShape(tensor, [5])).toThrow("does not fit");
});
