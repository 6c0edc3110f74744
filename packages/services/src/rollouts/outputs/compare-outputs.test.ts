import { expect, it } from "vitest";
import { compareOutputs } from "./compare-outputs.ts";

const answer = (values: readonly number[], more: { name?: string; shape?: number[] } = {}) => ({
  modelName: "m",
  modelVersion: "1",
  id: "",
  outputs: [
    {
      name: more.name ?? "Y",
      datatype: "FP32" as const,
      shape: more.shape ?? [values.length],
      bytes: new Uint8Array(new Float32Array(values).buffer),
    },
  ],
});
const tolerance = { absolute: 0.01, relative: 0.1 };

it.each([
  [[1, 2], [1, 2], null],
  [[1, 2], [1.1, 2.2], null],
  [[1, 2], [1.2, 2], /^output Y differs in 1 of 2 values, most at 0: 1\.2/],
  [[0], [0.02], /differs in 1 of 1/],
  [[Number.NaN], [Number.NaN], null],
  [[1], [Number.NaN], /NaN instead of 1/],
  [[Number.POSITIVE_INFINITY], [1], /1 instead of Infinity/],
])("%j and %j", (a, b, says) => {
  const found = compareOutputs(answer(a), answer(b), tolerance);
  if (says === null) expect(found).toBeNull();
  else expect(found).toMatch(says);
});

it("other names and shapes are told", () => {
  expect(compareOutputs(answer([1]), answer([1], { name: "Z" }), tolerance)).toBe("output Y is missing");
  expect(compareOutputs(answer([1, 2]), answer([1, 2], { shape: [1, 2] }), tolerance)).toBe(
    "output Y has the shape [1, 2], not [2]",
  );
});
