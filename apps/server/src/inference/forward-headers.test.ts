import { describe, expect, it } from "vitest";
import { forwardedParameters } from "./forward-headers.ts";

describe("forwardedParameters()", () => {
  it("takes the headers whose name the pattern finds anywhere, as they were received", () => {
    const headers = [
      ["X-My-User", "ada"],
      ["accept", "*/*"],
      ["other-x-my-y", "1"],
    ] as const;
    expect([...forwardedParameters(headers, /x-my/i)]).toEqual([
      ["X-My-User", "ada"],
      ["other-x-my-y", "1"],
    ]);
    expect([...forwardedParameters(headers, /^x-my/)]).toEqual([]);
  });

  it.each([
    "sequence_id",
    "sequence_start",
    "sequence_end",
    "priority",
    "timeout",
    "headers",
    "binary_data_output",
    "triton_x",
  ])("refuses the reserved name %s when the pattern finds it, and only then", (name) => {
    expect(() => forwardedParameters([[name, "1"]], /./)).toThrow(
      `Header '${name}' is reserved for Triton usage and cannot be forwarded.`,
    );
    expect(forwardedParameters([[name, "1"]], /^x-/).size).toBe(0);
  });

  it("asks a pattern with the global flag every name from its start", () => {
    const pattern = /x/g;
    const headers = [
      ["x-1", "a"],
      ["x-2", "b"],
    ] as const;
    expect(forwardedParameters(headers, pattern).size).toBe(2);
  });
});
