import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonNode, readJsonDocument } from "./json-document.ts";
import { type JsonSchema, objectOf } from "./json-schema.ts";
import { inOneGo } from "./slices.ts";

const ANY: JsonSchema = { values: "scalar" };

const read = (text: string, schema: JsonSchema = ANY): JsonNode => inOneGo(readJsonDocument(Buffer.from(text), schema));
const member = (text: string): JsonNode | undefined => (read(`{"a":${text}}`) as Map<string, JsonNode>).get("a");

describe("readJsonDocument()", () => {
  it("reads any scalar as JSON.parse does", () => {
    const scalar = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(scalar, (value) => {
        const text = JSON.stringify(value);
        const node = member(text);
        expect(typeof node === "bigint" ? Number(node) : node).toEqual(JSON.parse(text));
      }),
    );
  });

  it("accepts and refuses what JSON.parse does", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"a"',
      "1",
      "-",
      "0.5",
      "e3",
      "true",
      "null",
      " ",
      "01",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = `{"x":${pieces.join("")}}`;
        const outcome = (parse: () => unknown) => {
          try {
            parse();
            return true;
          } catch {
            return false;
          }
        };
        expect(outcome(() => read(text, objectOf({})))).toBe(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["NaN", Number.NaN],
    ["Inf", Number.POSITIVE_INFINITY],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Inf", Number.NEGATIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["18446744073709551615", 18446744073709551615n],
    ["18446744073709551616", 2 ** 64],
    ["1.0", 1],
    ["0.1234567890123456789", 0.12345678901234568],
    ["1e-320", 1e-320],
    ['"\\ud83d\\ude00\\u0000\\u00e9\\u20ac\\/"', "😀\0é€/"],
  ])("reads %s", (text, value) => {
    expect(member(text)).toEqual(value);
  });

  it.each([
    ["", "The document is empty."],
    ["{} 1", "must not be followed"],
    ['{"a" 1}', "Missing a colon"],
    ["{1:2}", "Missing a name"],
    ['{"a":1', "Missing a comma or }"],
    ['{"a":"x', "closing quotation mark"],
    ['{"a":"\\ud800"}', "surrogate pair"],
    ['{"a":"\\udc00\\ud800"}', "surrogate pair"],
    ['{"a":"\\u12g4"}', "hex digit"],
    ['{"a":"\\x"}', "Invalid escape"],
    ['{"a":"\n"}', "Invalid encoding"],
    ['{"a":1.}', "Miss fraction"],
    ['{"a":1e}', "Miss exponent"],
    ['{"a":1e999}', "Number too big"],
    ['{"a":tru}', "Invalid value."],
  ])("refuses %j", (text, message) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: "INTERNAL", message: expect.stringContaining(message) }),
    );
  });

  it("refuses bytes that are not UTF-8", () => {
    expect(() => inOneGo(readJsonDocument(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), ANY))).toThrow(
      "Invalid encoding",
    );
  });

  it("keeps the first of duplicate members, and __proto__ is a plain name", () => {
    const node = read('{"__proto__":1,"b":2,"b":3}') as Map<string, JsonNode>;
    expect([...node]).toEqual([
      ["__proto__", 1n],
      ["b", 2n],
    ]);
    expect(Object.prototype).not.toHaveProperty("b");
  });

  it.each([
    ["skipped array", `{"x":${"[".repeat(101)}`, objectOf({})],
    ["skipped object", '{"x":'.repeat(102), objectOf({})],
    ["span", `{"d":${"[".repeat(101)}`, objectOf({ d: "span" })],
  ] as [string, string, JsonSchema][])("limits the depth of a %s", (_, text, schema) => {
    expect(() => read(text, schema)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: "JSON nesting depth exceeds maximum allowed limit (100)",
      }),
    );
  });

  it("limits the length of lists it builds", () => {
    expect(() => read(`[${"1,".repeat(20_000)}1]`, { each: "scalar" })).toThrow("longer than the maximum");
    expect(() => read(`{${'"a":1,'.repeat(20_000)}"b":1}`, objectOf({}))).toThrow("longer than the maximum");
  });
});
