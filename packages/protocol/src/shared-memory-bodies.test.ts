import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseCudaSharedMemoryBody,
  parseSystemSharedMemoryBody,
  sharedMemoryStatusJson,
} from "./shared-memory-bodies.ts";

const system = (body: unknown) => parseSystemSharedMemoryBody(Buffer.from(JSON.stringify(body)));
const cuda = (body: unknown) => parseCudaSharedMemoryBody(Buffer.from(JSON.stringify(body)));

describe("bodies of register", () => {
  it("are read, with an offset of 0 by default", () => {
    expect(system({ key: "/k", byte_size: 8 })).toEqual({ key: "/k", offset: 0, byteSize: 8 });
    expect(system({ key: "/k", byte_size: 8, offset: 4, more: [{}] })).toEqual({ key: "/k", offset: 4, byteSize: 8 });
    const rawHandle = Buffer.alloc(64, 7);
    expect(cuda({ raw_handle: { b64: rawHandle.toString("base64") }, device_id: 1, byte_size: 8 })).toEqual({
      rawHandle,
      deviceId: 1,
      byteSize: 8,
    });
  });

  it.each([
    [{ byte_size: 8 }, "INVALID_ARGUMENT", "Shared memory register request has no 'key' field"],
    [{ key: "/k" }, "INVALID_ARGUMENT", "Shared memory register request has no 'byte_size' field"],
    [{ key: "/k", byte_size: 8, offset: null }, "INTERNAL", "Unable to parse 'offset'"],
    [{ key: "/k", byte_size: "8" }, "INTERNAL", "Unable to parse 'byte_size'"],
    [{ key: null, byte_size: 8 }, "INTERNAL", "Unable to parse 'key'"],
    [[], "INTERNAL", "Unable to parse 'key'"],
  ])("%j is refused", (body, code, message) => {
    expect(() => system(body)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  it.each([
    [{ device_id: 0, byte_size: 8 }, "has no 'raw_handle' field"],
    [{ raw_handle: {}, device_id: 0, byte_size: 8 }, "must be a valid base64"],
    [{ raw_handle: { b64: "A".repeat(88) }, device_id: 0, byte_size: 8 }, "must be a valid base64"],
    [{ raw_handle: { b64: "A".repeat(86) }, device_id: 0, byte_size: 8 }, "must be a valid base64"],
    [{ raw_handle: { b64: Buffer.alloc(64).toString("base64") }, byte_size: 8 }, "has no 'device_id' field"],
  ])("%j is refused as CUDA's", (body, message) => {
    expect(() => cuda(body)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });

  it("keep every key and size as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.maxSafeNat(), fc.maxSafeNat(), (key, offset, byteSize) => {
        expect(system({ key, offset, byte_size: byteSize })).toEqual({ key, offset, byteSize });
      }),
    );
  });
});

describe("sharedMemoryStatusJson", () => {
  it("is a bare array with the members of each kind", () => {
    expect(
      sharedMemoryStatusJson([
        { kind: "system", name: "a", key: "/k", offset: 1, byteSize: 2 },
        { kind: "cuda", name: "b", deviceId: 0, byteSize: 3 },
      ]),
    ).toBe('[{"name":"a","key":"/k","offset":1,"byte_size":2},{"name":"b","device_id":0,"byte_size":3}]');
    expect(sharedMemoryStatusJson([])).toBe("[]");
  });
});
