import { type Datatype, encodeTensorValues, type OutputTensor, type TensorValues } from "@nereid/protocol";
import { describe, expect, it } from "vitest";
import { compareOutputs } from "./compare-outputs.ts";

const tensor = (datatype: Datatype, shape: readonly number[], values: TensorValues): OutputTensor => ({
  name: "OUT",
  datatype,
  shape,
  bytes: new Uint8Array(encodeTensorValues(datatype, values)),
});
const TOLERANCE = { absolute: 0.01, relative: 0.1 };
const compare = (primary: OutputTensor, shadow: OutputTensor, batched = true) => {
  const steps = compareOutputs({ primary: [primary], shadow: [shadow] }, TOLERANCE, batched);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};
const floats = (...values: number[]) => tensor("FP64", [1, values.length], values);

describe("numbers", () => {
  it.each([
    ["within both tolerances", [1, 2], [1.1, 2], true],
    ["beyond them", [1, 2], [1.12, 2], false],
    ["near 0 by the absolute one", [0, 1], [0.01, 1], true],
    ["no number like no number", [Number.NaN, 1], [Number.NaN, 1], true],
    ["no number unlike a number", [Number.NaN, 1], [0, 1], false],
    ["infinite like infinite", [Number.POSITIVE_INFINITY, 1], [Number.POSITIVE_INFINITY, 1], true],
    ["infinite unlike finite, whatever the tolerance", [Number.POSITIVE_INFINITY, 1], [5, 1], false],
    ["0 like -0", [0, 1], [-0, 1], true],
  ])("%s", (_, a, b, agreed) => {
    expect(compare(floats(...a), floats(...b)).agreed).toBe(agreed);
  });

  it("tell the largest differences, and the element that differs most", () => {
    const { maxAbsolute, maxRelative, worst } = compare(floats(100, 1, 0), floats(103, 1.5, 0.25));
    expect([maxAbsolute, maxRelative]).toEqual([3, 0.5]);
    expect(worst).toEqual({ output: "OUT", index: 0, primary: 100, shadow: 103, absolute: 3, relative: 0.03 });
  });

  it("that are not finite are worse than any, and said as texts", () => {
    const { maxAbsolute, worst } = compare(floats(1, 5), floats(4, Number.NaN));
    expect([maxAbsolute, worst?.index, worst?.shadow, worst?.absolute]).toEqual([3, 1, "NaN", null]);
  });

  it("that are whole must be the same, however long", () => {
    const long = 2n ** 53n;
    const { agreed, worst } = compare(tensor("INT64", [2], [long, 1n]), tensor("INT64", [2], [long + 1n, 1n]));
    expect([agreed, worst]).toEqual([
      false,
      expect.objectContaining({ index: 0, primary: String(long), shadow: String(long + 1n), absolute: 1 }),
    ]);
    expect(compare(tensor("BOOL", [2], [true, false]), tensor("BOOL", [2], [true, true])).agreed).toBe(false);
  });

  it("of half precision are compared as what they stand for", () => {
    expect(compare(tensor("FP16", [1, 2], [1, 2]), tensor("FP16", [1, 2], [1.05, 2])).agreed).toBe(true);
    expect(compare(tensor("BF16", [1, 2], [1, 2]), tensor("BF16", [1, 2], [1.5, 2])).agreed).toBe(false);
  });

  it("beyond the first slice are found at their place", () => {
    const many = Float32Array.from({ length: 20_000 }, (_, index) => index);
    const other = many.slice();
    other[19_999] = -1;
    const result = compare(tensor("FP32", [1, 20_000], many), tensor("FP32", [1, 20_000], other));
    expect([result.worst?.index, result.worst?.primary, result.top1]).toEqual([19_999, 19_999, { same: 0, of: 1 }]);
  });
});

describe("what is not alike", () => {
  it("texts differ at the first that is another", () => {
    const result = compare(tensor("BYTES", [3], ["a", "b", "c"]), tensor("BYTES", [3], ["a", "x", "y"]));
    expect(result.agreed).toBe(false);
    expect(result.worst).toEqual({
      output: "OUT",
      index: 1,
      primary: "b",
      shadow: "x",
      absolute: null,
      relative: null,
    });
    expect(compare(tensor("BYTES", [1], ["a"]), tensor("BYTES", [1], ["a"])).agreed).toBe(true);
  });

  it("other shapes, other types and missing outputs disagree", () => {
    expect(compare(floats(1, 2), floats(1)).worst).toMatchObject({
      index: -1,
      primary: "FP64 [1,2]",
      shadow: "FP64 [1,1]",
    });
    expect(compare(floats(1, 2), tensor("FP32", [1, 2], [1, 2])).agreed).toBe(false);
    expect(compare(floats(1), { ...floats(1), name: "OTHER" }).worst).toMatchObject({ index: -1, shadow: null });
  });
});

describe("the largest element", () => {
  it.each([
    ["of every row", [2, 2], [1, 2, 3, 4], [1, 2, 4, 3], true, { same: 1, of: 2 }],
    ["of the whole, where nothing counts requests", [4], [1, 2, 3, 4], [1, 2, 5, 4], false, { same: 0, of: 1 }],
    ["of none, where each row is one number", [4], [1, 2, 3, 4], [1, 2, 5, 4], true, { same: 0, of: 0 }],
    ["of equal answers", [2, 2], [1, 2, 3, 4], [1, 2, 3, 4], true, { same: 2, of: 2 }],
  ])("%s", (_, shape, a, b, batched, expected) => {
    expect(compare(tensor("FP32", shape, a), tensor("FP32", shape, b), batched).top1).toEqual(expected);
  });
});
