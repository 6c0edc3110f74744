import { describe, expect, it } from "vitest";
import { encodeRetryInfo } from "./retry-info.ts";

describe("retry info", () => {
  it("is a google.rpc.Status with a RetryInfo, byte for byte", () => {
    const bytes = Buffer.from(encodeRetryInfo({ code: 14, message: "full" }, 1500), "base64");
    const info = Buffer.from([0x0a, 0x08, 0x08, 0x01, 0x10, 0x80, 0xca, 0xb5, 0xee, 0x01]);
    const type = Buffer.from("type.googleapis.com/google.rpc.RetryInfo");
    const any = Buffer.concat([Buffer.from([0x0a, type.length]), type, Buffer.from([0x12, info.length]), info]);
    const status = Buffer.concat([
      Buffer.from([0x08, 14, 0x12, 4]),
      Buffer.from("full"),
      Buffer.from([0x1a, any.length]),
      any,
    ]);
    expect(bytes.toString("hex")).toBe(status.toString("hex"));
  });

  it("leaves whole seconds and rests of zero out", () => {
    const hex = (ms: number) => Buffer.from(encodeRetryInfo({ code: 14, message: "" }, ms), "base64").toString("hex");
    expect(hex(2000).endsWith("12040a020802")).toBe(true);
    expect(hex(1).endsWith(`12060a0410${"c0843d"}`)).toBe(true);
  });
});
