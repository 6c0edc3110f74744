import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput } from "./parse-input.ts";

const anything = z.unknown();

describe("what no database keeps", () => {
  it.each([
    [{ name: "a\0b" }, "name: "],
    [{ name: "\ud800" }, "name: "],
    [{ list: [1, { deep: "x\udc00" }] }, "list.1.deep: "],
    [{ record: { "k\0": 1 } }, "record.k\0: "],
    ["\0", ""],
  ])("%j is refused by the field, on every database (PostgreSQL answered 500)", (input, where) => {
    expect(() => parseInput(anything, input)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining(`${where}has a character`),
      }),
    );
  });

  it("lets every other input through as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const text = JSON.stringify(input);
        fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text));
        expect(parseInput(anything, input)).toBe(input);
      }),
    );
    expect(parseInput(anything, { emoji: "😀", bytes: new Uint8Array([0]) })).toBeDefined();
  });
});
