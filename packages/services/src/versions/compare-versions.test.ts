import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFiles, compareSignatures } from "./compare-versions.ts";
import { earlierVersion } from "./rollback.ts";

const tensor = (name: string, dims: readonly (number | string)[] = ["batch", 3], datatype = "FP32") => ({
  name,
  datatype,
  dims,
});
const graph = (inputs: readonly ReturnType<typeof tensor>[], outputs: readonly ReturnType<typeof tensor>[] = []) => ({
  inputs,
  outputs,
  opset: {},
  producer: "",
  externalData: [],
  operators: {},
});

describe("compareSignatures", () => {
  it("names what was added, removed and changed; the same is left out", () => {
    const a = graph([tensor("same"), tensor("gone"), tensor("wider", ["batch", 3])], [tensor("y")]);
    const b = graph([tensor("same"), tensor("wider", ["batch", 4])], [tensor("y", ["batch", 3], "FP16")]);
    expect(compareSignatures(a, b)).toEqual([
      { tensor: "gone", side: "input", a: tensor("gone"), b: null },
      { tensor: "wider", side: "input", a: tensor("wider", ["batch", 3]), b: tensor("wider", ["batch", 4]) },
      { tensor: "y", side: "output", a: tensor("y"), b: tensor("y", ["batch", 3], "FP16") },
    ]);
  });

  it("of a graph that cannot be read, everything of the other is new", () => {
    expect(compareSignatures(null, graph([tensor("x")]))).toEqual([
      { tensor: "x", side: "input", a: null, b: tensor("x") },
    ]);
  });
});

const files = fc.uniqueArray(
  fc.record({ path: fc.constantFrom("a", "b", "c", "d/e"), bytes: fc.nat(9), sha256: fc.constantFrom("1", "2") }),
  { selector: ({ path }) => path },
);

it("compareFiles has every path once, and swapped sides swap the answer", () => {
  fc.assert(
    fc.property(files, files, (a, b) => {
      const found = compareFiles(a, b);
      expect(found.map(({ path }) => path)).toEqual([...new Set([...a, ...b].map(({ path }) => path))].sort());
      expect(compareFiles(b, a)).toEqual(found.map((one) => ({ ...one, a: one.b, b: one.a })));
      expect(compareFiles(a, a).some(({ changed }) => changed)).toBe(false);
    }),
  );
});

it("earlierVersion is the newest below the highest served, by number", () => {
  expect(earlierVersion("m", ["2", "10"], ["1", "9", "10", "11"])).toBe("9");
  expect(() => earlierVersion("m", ["1"], ["1", "2"])).toThrow("no version before 1");
  expect(() => earlierVersion("m", [], ["1"])).toThrow("serves no version");
});
