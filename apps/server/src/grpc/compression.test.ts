import { gunzipSync, inflateSync } from "node:zlib";
import { encodeFrame } from "@nereid/grpc";
import { describe, expect, it } from "vitest";
import { compressFrame, requestEncoding, responseCompression } from "./compression.ts";

describe("responseCompression()", () => {
  it("is what the server wants and the client takes", () => {
    expect(responseCompression("none", "gzip")).toBeUndefined();
    expect(responseCompression("high", undefined)).toBeUndefined();
    expect(responseCompression("high", "identity, snappy")).toBeUndefined();
    expect(responseCompression("low", "identity,deflate, gzip")).toEqual({ encoding: "gzip", level: 1 });
    expect(responseCompression("medium", "deflate")).toEqual({ encoding: "deflate", level: 6 });
    expect(responseCompression("high", "gzip")).toEqual({ encoding: "gzip", level: 9 });
  });
});

describe("compressFrame()", () => {
  const frame = encodeFrame(Buffer.alloc(10_000, 1));

  it.each([
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
  ] as const)("packs the message by %s and sets the flag", async (encoding, unpack) => {
    const packed = Buffer.concat((await compressFrame(frame, { encoding, level: 6 })).pieces);
    expect([packed[0], packed.readUInt32BE(1)]).toEqual([1, packed.byteLength - 5]);
    expect(unpack(packed.subarray(5)).equals(Buffer.alloc(10_000, 1))).toBe(true);
  });

  it("leaves a message alone that does not become smaller", async () => {
    const small = encodeFrame(Buffer.from("abc"));
    expect(await compressFrame(small, { encoding: "gzip", level: 9 })).toBe(small);
  });
});

describe("requestEncoding()", () => {
  it("knows gzip, deflate and nothing else", () => {
    expect([undefined, "identity", "gzip", "deflate"].map(requestEncoding)).toEqual([
      undefined,
      undefined,
      "gzip",
      "deflate",
    ]);
    expect(() => requestEncoding("br")).toThrow("Compression algorithm 'br' is not supported");
  });
});
