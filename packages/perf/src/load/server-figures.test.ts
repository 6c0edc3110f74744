import fc from "fast-check";
import { expect, it } from "vitest";
import { phaseMeanUs, serverDifference, sumServerFigures } from "./server-figures.ts";
import { countersOf } from "./testing/records.ts";

it("is what was done between two looks, and adds up over windows", () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(1000), fc.nat(1000), fc.integer({ min: 1, max: 1000 })), ([a, b, c]) => {
      const looks = [a, a + b, a + b + c].map((count) => [countersOf("m", count), countersOf("other", 7)]);
      const [first = [], second = [], third = []] = looks;
      const parts = [serverDifference("m", first, second), serverDifference("m", second, third)];
      const sum = sumServerFigures("m", parts);
      expect(sum).toEqual(serverDifference("m", first, third));
      expect(phaseMeanUs(sum, "computeInfer")).toBeCloseTo(100);
    }),
  );
});

it("counts a version that was loaded or reloaded meanwhile from 0", () => {
  expect(serverDifference("m", [], [countersOf("m", 5)]).inferences).toBe(5);
  expect(serverDifference("m", [countersOf("m", 50)], [countersOf("m", 5)]).inferences).toBe(5);
  expect(phaseMeanUs(serverDifference("m", [], []), "queue")).toBe(0);
});
