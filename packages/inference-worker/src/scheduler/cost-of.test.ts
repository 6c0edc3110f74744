import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, parseCostMeasure } from "./cost-of.ts";
import { parseCostClasses } from "./parse-cost-classes.ts";

const inputs = [
  { name: "input_ids", shape: [4, 128], bytes: { byteLength: 4096 } },
  { name: "scale", shape: [4, 1], bytes: { byteLength: 16 } },
];
const invalid = (says: RegExp) =>
  expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(says) });

describe("costOf()", () => {
  it.each([
    ["elements", {}, 4 * 128 + 4],
    ["bytes", {}, 4112],
    ["input_ids[0]", { batchSize: 4 }, 4 * 128],
    ["input_ids[-1]", { batchSize: 4 }, 4 * 128],
    ["input_ids[1]", {}, 128],
    ["input_ids[7]", { batchSize: 4 }, 0],
    ["mask[0]", { batchSize: 4 }, 0],
  ])("measures %s with %j", (measure, options, cost) => {
    expect(costOf(inputs, parseCostMeasure(measure), options)).toBe(cost);
  });

  it("counts a batch of 0 as 1", () => {
    expect(costOf(inputs, parseCostMeasure("input_ids[0]"), { batchSize: 0 })).toBe(128);
  });

  it.each(["", "element", "input_ids", "[0]", "input_ids[x]", "input_ids[0"])(
    "does not read '%s' as a measure",
    (text) => {
      expect(() => parseCostMeasure(text)).toThrow(invalid(/INPUT\[axis\]/));
    },
  );
});

describe("parseCostClasses()", () => {
  it("reads names, costs and options", () => {
    expect(parseCostClasses("small:4096:queued=64:executing=0:weight=4, large:*:queued=16:executing=1")).toEqual([
      { name: "small", maxCost: 4096, maxQueued: 64, maxExecuting: 0, weight: 4 },
      { name: "large", maxCost: Number.POSITIVE_INFINITY, maxQueued: 16, maxExecuting: 1, weight: 1 },
    ]);
    expect(parseCostClasses("all:*")).toHaveLength(1);
  });

  it.each([
    ["", /does not begin with a name/],
    ["small:10", /the last class, 'small', must have the cost '\*'/],
    ["a:*, b:*", /the cost of class 'a' is '\*'/],
    ["a:10, b:10, c:*", /class 'b' must be above that of 'a'/],
    ["a:1.5, b:*", /'1.5' and must be a whole number/],
    ["a:0, b:*", /must be a whole number above 0/],
    ["a:1, a:*", /class 'a' is there twice/],
    ["a:*:weight=0", /'weight' of class 'a' is '0' and must be a whole number of at least 1/],
    ["a:*:queued=-1", /'queued' of class 'a'/],
    ["a:*:share=2", /option 'share=2'; there are queued, executing, weight/],
    ["a:*:queued=1:queued=2", /'queued' twice/],
  ])("says what is wrong with '%s'", (text, says) => {
    expect(() => parseCostClasses(text)).toThrow(invalid(says));
    expect(() => parseCostClasses(text)).toThrow(/the form is 'small:4096/);
  });

  it("either reads a text or says INVALID_ARGUMENT", () => {
    const piece = fc.constantFrom("a", "b", ":", "*", ",", "=", "queued", "weight", "1", "4096", " ");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          expect(parseCostClasses(pieces.join("")).at(-1)?.maxCost).toBe(Number.POSITIVE_INFINITY);
        } catch (error) {
          expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
        }
      }),
    );
  });
});
