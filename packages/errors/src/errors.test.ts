import { describe, expect, it, vi } from "vitest";
import {
  ERROR_CODES,
  fromGrpcCode,
  GRPC_CODES,
  grpcCodeName,
  NereidError,
  statusText,
  toGrpcCode,
  toHttpStatus,
  toTrpcCode,
} from "./index.ts";

describe("error mappers", () => {
  it.each(ERROR_CODES)("%s maps to every protocol", (code) => {
    expect(toHttpStatus(code)).toBeGreaterThanOrEqual(400);
    expect(toTrpcCode(code)).toMatch(/^[A-Z_]+$/);
    expect(statusText(code)).not.toBe("");
    expect(GRPC_CODES[toGrpcCode(code)]).toBeGreaterThan(0);
  });

  it("answers with Triton's gRPC codes for its eight classes, and reads them back as they were", () => {
    const codes = ERROR_CODES.slice(0, 8);
    expect(codes.map((code) => GRPC_CODES[toGrpcCode(code)])).toEqual([3, 5, 6, 14, 12, 13, 1, 2]);
    expect(codes.map((code) => fromGrpcCode(toGrpcCode(code)))).toEqual(codes);
  });

  it("names every gRPC code by its number, and unknown numbers UNKNOWN", () => {
    for (const [name, number] of Object.entries(GRPC_CODES)) expect(grpcCodeName(number)).toBe(name);
    expect([grpcCodeName(17), grpcCodeName(Number.NaN)]).toEqual(["UNKNOWN", "UNKNOWN"]);
  });

  it("answers with Triton's statuses for its eight classes", () => {
    const table = ERROR_CODES.slice(0, 8).map((code) => toHttpStatus(code));
    expect(table).toEqual([400, 404, 400, 503, 501, 500, 400, 400]);
  });
});

describe("NereidError.from()", () => {
  it("keeps a NereidError as it is", () => {
    const error = new NereidError("NOT_FOUND", "no such model");
    expect(NereidError.from(error)).toBe(error);
  });

  it.each([
    [new Error("boom"), "boom"],
    ["text", "text"],
    [undefined, "undefined"],
  ])("turns %s into INTERNAL", (thrown, message) => {
    const error = NereidError.from(thrown);
    expect(error.code).toBe("INTERNAL");
    expect(error.message).toBe(message);
    expect(error.cause).toBe(thrown);
  });
});

describe("instanceof NereidError", () => {
  it("holds for an error of another copy of the class, and not for other errors", async () => {
    vi.resetModules();
    const { NereidError: copy } = await import("./nereid-error.ts");
    expect(copy).not.toBe(NereidError);
    expect(new copy("NOT_FOUND", "x")).toBeInstanceOf(NereidError);
    expect(new Error("x")).not.toBeInstanceOf(NereidError);
  });

  it("tells subclasses apart", () => {
    class Special extends NereidError {}
    expect(new Special("INTERNAL", "x")).toBeInstanceOf(NereidError);
    expect(new NereidError("INTERNAL", "x")).not.toBeInstanceOf(Special);
  });
});
