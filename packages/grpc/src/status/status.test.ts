import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseModelVersion } from "../infer/model-version.ts";
import { decodeGrpcMessage, encodeGrpcMessage } from "./grpc-message.ts";
import { formatGrpcTimeout, parseGrpcTimeout } from "./grpc-timeout.ts";

describe("grpc-message", () => {
  it("brings every text through a header unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const encoded = encodeGrpcMessage(text);
        expect(encoded).toMatch(/^[ -~]*$/);
        expect(decodeGrpcMessage(encoded)).toBe(text);
      }),
    );
  });

  it("encodes what gRPC says and nothing else", () => {
    expect(encodeGrpcMessage("Grüße: 100%\n'x'")).toBe("Gr%C3%BC%C3%9Fe: 100%25%0A'x'");
  });

  it("cuts a long text between two characters", () => {
    const encoded = encodeGrpcMessage("ä".repeat(5000));
    expect(encoded.length).toBeLessThanOrEqual(4096);
    expect(decodeGrpcMessage(encoded)).toMatch(/^ä+\.\.\.$/);
    expect(encodeGrpcMessage("x".repeat(4096))).toHaveLength(4096);
    expect(encodeGrpcMessage("x".repeat(4097))).toMatch(/^x{4093}\.\.\.$/);
  });

  it("leaves what is not properly encoded as it is", () => {
    expect(decodeGrpcMessage("50% of %zz%4")).toBe("50% of %zz%4");
  });
});

describe("grpc-timeout", () => {
  it.each([
    ["1H", 3_600_000],
    ["2M", 120_000],
    ["3S", 3000],
    ["4m", 4],
    ["5u", 0.005],
    ["6n", 0.000006],
    ["99999999S", 99_999_999_000],
  ])("%s is %d ms", (text, ms) => {
    expect(parseGrpcTimeout(text)).toBeCloseTo(ms, 9);
  });

  it("is none without a header", () => {
    expect(parseGrpcTimeout(undefined)).toBeUndefined();
  });

  it.each(["", "S", "1", "1s", "-1S", "1.5S", "123456789S", "1S "])("'%s' is refused", (text) => {
    expect(() => parseGrpcTimeout(text)).toThrow(NereidError);
  });

  it("is written so that the server never waits less long", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e10, noNaN: true }), (ms) => {
        expect(parseGrpcTimeout(formatGrpcTimeout(ms)) ?? 0).toBeGreaterThanOrEqual(ms * (1 - 1e-12));
      }),
    );
  });
});

describe("parseModelVersion()", () => {
  it.each([
    ["", undefined],
    ["0", "0"],
    ["7", "7"],
    ["007", "7"],
    ["9223372036854775807", "9223372036854775807"],
  ])("'%s' is %s", (text, version) => {
    expect(parseModelVersion(text)).toBe(version);
  });

  it.each(["-1", "one", "1.0", "9223372036854775808", "1 ", "1".repeat(1000)])("'%s' is refused", (text) => {
    expect(() => parseModelVersion(text)).toThrow(/version should be an integral value > 0$/);
  });
});
