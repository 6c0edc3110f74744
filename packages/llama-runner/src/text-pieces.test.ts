import { describe, expect, it } from "vitest";
import { TextPieces } from "./text-pieces.ts";

/** A vocabulary whose tokens are bytes: what the pieces must be made of is known without a model. */
const bytes = { detokenize: (tokens: readonly number[]) => Buffer.from(tokens).toString("utf8") };

describe("TextPieces", () => {
  it("keeps a character together whose bytes come one by one", () => {
    const pieces = new TextPieces(bytes, []);
    const said = [...Buffer.from("aß€😀b")].map((byte) => pieces.push(byte));
    expect(said).toEqual(["a", "", "ß", "", "", "€", "", "", "", "😀", "b"]);
    expect(pieces.end()).toBe("");
  });

  it("does not wait for ever for bytes that are no character, and ends with what is left", () => {
    const pieces = new TextPieces(bytes, []);
    const said = [0xff, 0xff, 0xff, 0xff, 0x61].map((byte) => pieces.push(byte));
    expect(said.join("")).toBe("\uFFFD\uFFFD\uFFFD\uFFFDa");
    expect(pieces.push(0xe2)).toBe("");
    expect(pieces.end()).toBe("\uFFFD");
  });
});
