import { expect, it } from "vitest";
import { usualShapes } from "./usual-shapes.ts";

const input = (name: string, dims: readonly number[]) => ({ name, datatype: "FP32", dims, ragged: false });
const row = (shape: readonly number[]) => ({
  inputs: [{ name: "x", shape }],
  count: 1,
  meanNs: 0,
  p99Ns: 0,
  firstSeenMs: 0,
  lastSeenMs: 0,
  alone: 0,
  cutShort: 0,
});

it("shapes are those that most requests had, of the newest version", () => {
  const older = { version: "9", inputs: [input("old", [-1])], rows: [] };
  const newer = {
    version: "10",
    inputs: [input("x", [-1, 3]), input("fixed", [4])],
    rows: [row([16, 3]), row([2, 3])],
  };
  expect(usualShapes([newer, older])).toBe("x:16,3");
  expect(usualShapes([{ ...newer, rows: [] }])).toBe("x:1,3");
  expect(usualShapes([{ ...newer, inputs: [input("fixed", [4])] }])).toBe("");
  expect(usualShapes([])).toBe("");
});
