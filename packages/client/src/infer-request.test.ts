import { describe, expect, it } from "vitest";
import { toInferRequest } from "./infer-request.ts";

describe("toInferRequest()", () => {
  it.each([
    ["priority", { priority: 1.5 }],
    ["priority", { priority: -1n }],
    ["timeoutMicroseconds", { timeoutMicroseconds: Number.NaN }],
    ["timeoutMicroseconds", { timeoutMicroseconds: -5 }],
    ["classification", { outputs: [{ name: "y", classification: -1 }] }],
    ["classification", { outputs: [{ name: "y", classification: 0.5 }] }],
  ])("refuses %s in %o instead of dropping it or throwing a RangeError", (field, call) => {
    expect(() => toInferRequest({ inputs: [], ...call })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(field) }),
    );
  });
});
