import { describe, expect, it } from "vitest";
import { generateBody, parseGenerateAnswer } from "./generate-call.ts";

describe("parseGenerateAnswer()", () => {
  it("reads NaN and infinities that stand bare, and leaves strings alone", () => {
    const text =
      '{"A":[NaN,Infinity,-Infinity,1.0],"B":NaN,"S":"NaN, \\"Infinity\\" \\\\","NaN":"-Infinity","model_name":"m"}';
    expect(parseGenerateAnswer(text)).toEqual({
      A: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1],
      B: Number.NaN,
      S: 'NaN, "Infinity" \\',
      NaN: "-Infinity",
      model_name: "m",
    });
  });

  it("says that something else is no JSON", () => {
    expect(() => parseGenerateAnswer("<html>NaN</html>")).toThrow("the server's answer is not JSON");
  });
});

describe("generateBody()", () => {
  it("writes typed arrays as lists and whole bigints as numbers", () => {
    expect(generateBody({ X: Float32Array.of(1, 2), T: 7n, L: BigInt64Array.of(1n, -2n) })).toBe(
      '{"X":[1,2],"T":7,"L":[1,-2]}',
    );
  });

  it("refuses a bigint that a number cannot hold, by name", () => {
    expect(() => generateBody({ T: 2n ** 53n })).toThrow("'T': 9007199254740992 has no exact form");
  });
});
