import { NereidError } from "@nereid/errors";
import { TRPCError } from "@trpc/server";
import { describe, expect, it } from "vitest";
import { toTrpcError } from "./to-trpc-error.ts";

describe("toTrpcError", () => {
  it("keeps code and words of our errors", () => {
    const error = toTrpcError(new NereidError("FORBIDDEN", "not you"));
    expect(error).toMatchObject({ code: "FORBIDDEN", message: "not you" });
  });

  it("keeps the words of a failure that the node reported", () => {
    expect(toTrpcError(new NereidError("INTERNAL", "failed to load 'm'")).message).toBe("failed to load 'm'");
  });

  it.each([
    new Error("SELECT secret FROM user"),
    new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: new Error("SELECT secret FROM user") }),
    NereidError.from(new Error("SELECT secret FROM user")),
    "SELECT secret FROM user",
  ])("never shows a foreign error's words (%#)", (thrown) => {
    const error = toTrpcError(thrown);
    expect(error.code).toBe("INTERNAL_SERVER_ERROR");
    expect(error.message).not.toContain("SELECT");
    expect(error.cause).toBeInstanceOf(NereidError);
  });

  it("unwraps what tRPC wrapped", () => {
    const wrapped = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: new NereidError("NOT_FOUND", "no model m") });
    expect(toTrpcError(wrapped)).toMatchObject({ code: "NOT_FOUND", message: "no model m" });
  });

  it("leaves tRPC's own refusals alone", () => {
    const refusal = new TRPCError({ code: "BAD_REQUEST", message: "no such procedure" });
    expect(toTrpcError(refusal)).toBe(refusal);
  });
});
