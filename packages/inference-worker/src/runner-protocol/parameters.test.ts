import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromWireParameters, toWireParameters, type WireParameters } from "./parameters.ts";

describe("parameters in messages", () => {
  it("come back as they were, int64 and double apart", () => {
    const value = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.double(),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.constantFrom(0, -0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 60, 9007199254740993n),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(fc.string(), fc.constant("__proto__")), value)), (entries) => {
        const parameters = new Map(entries);
        const json = JSON.stringify(toWireParameters(parameters));
        expect(fromWireParameters(JSON.parse(json) as WireParameters)).toEqual(parameters);
      }),
    );
  });

  it.each([[null], [[1]], [{}], [{ int64: "x" }], [{ int64: String(2n ** 64n) }], [{ double: 3 }]])(
    "refuse %j",
    (value) => {
      const wire = JSON.parse(JSON.stringify({ p: value })) as WireParameters;
      expect(() => fromWireParameters(wire)).toThrow("parameter 'p'");
    },
  );
});
