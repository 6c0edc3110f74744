import { NereidError } from "@nereid/errors";
import { writeBytesElements } from "@nereid/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesFromStrings, stringsFromBytes } from "./string-tensor.ts";

describe("string tensors", () => {
  it("keep every text without NUL", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary-ascii", maxLength: 600 }),
      fc.constantFrom("\ufeffa", "\ufffd", "x".repeat(300), "é".repeat(300)),
    );
    const texts = fc.array(text.map((value) => value.replaceAll("\u0000", "")));
    fc.assert(
      fc.property(texts, (given) => {
        const bytes = bytesFromStrings(given);
        expect(Buffer.compare(bytes, writeBytesElements(given))).toBe(0);
        expect(stringsFromBytes(bytes, "i", given.length)).toEqual(given);
      }),
    );
  });

  it.each([
    ["a NUL", [0x61, 0], "contains a NUL byte"],
    ["a NUL in a long text", [...Array(300).fill(0x61), 0], "contains a NUL byte"],
    ["wrong UTF-8", [0x61, 0xff], "is not valid UTF-8"],
    ["a surrogate", [0xed, 0xa0, 0x80], "is not valid UTF-8"],
    ["half a character", [...Array(300).fill(0x61), 0xc3], "is not valid UTF-8"],
  ])("refuse %s and name the element", (_, element, why) => {
    const bytes = writeBytesElements(["fine", Uint8Array.from(element), Uint8Array.of(0)]);
    expect(() => stringsFromBytes(bytes, "i", 3)).toThrow(`element 1 of BYTES input 'i' ${why}`);
  });

  it("refuse a wrong number of elements", () => {
    expect(() => stringsFromBytes(writeBytesElements(["a"]), "i", 2)).toThrow(NereidError);
  });
});
