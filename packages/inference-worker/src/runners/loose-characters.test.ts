import { describe, expect, it } from "vitest";
import { looseCharacters } from "./loose-characters.ts";

describe("looseCharacters()", () => {
  it("counts the id, names and texts of parameters, and the text of a sequence", () => {
    const parameters = new Map<string, string | bigint | boolean>([
      ["text", "abc"],
      ["n", 5n],
      ["yes", true],
    ]);
    const sequence = { id: "seq", start: true, end: false };
    expect(looseCharacters({ id: "id", parameters, sequence })).toBe(2 + 4 + 3 + 1 + 3 + 3);
    expect(looseCharacters({ id: "", parameters: new Map(), sequence: { ...sequence, id: 7n } })).toBe(0);
    expect(looseCharacters({ id: "", parameters: new Map(), sequence: undefined })).toBe(0);
  });
});
