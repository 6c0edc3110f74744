import { byteSizeOf, DATATYPES, isDatatype, type OutputTensor } from "@nereid/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeResponse, encodeResponse } from "./encode-response.ts";

const tensor = fc
  .record({
    name: fc.string({ unit: "grapheme", maxLength: 8 }),
    datatype: fc.constantFrom(...DATATYPES),
    shape: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    seed: fc.integer({ min: 0, max: 255 }),
  })
  .map(({ name, datatype, shape, seed }): OutputTensor => {
    const elements = shape.reduce((product, dim) => product * dim, 1);
    // Every element of a text is empty here: four bytes of length.
    const length = elements * (datatype === "BYTES" ? 4 : byteSizeOf(datatype));
    return { name, datatype, shape, bytes: new Uint8Array(length).fill(datatype === "BYTES" ? 0 : seed) };
  });

describe("encodeResponse() and decodeResponse()", () => {
  it("give back every response", () => {
    fc.assert(
      fc.property(fc.array(tensor, { maxLength: 4 }), (outputs) => {
        expect(decodeResponse(encodeResponse({ outputs }))).toEqual({ outputs });
      }),
    );
  });

  it("read a value at any offset, into memory where every element type may be read", () => {
    const outputs = [
      { name: "a", datatype: "FP64", shape: [1], bytes: new Uint8Array(new Float64Array([1.5]).buffer) },
    ] as const;
    const shifted = Buffer.concat([Buffer.from("x"), encodeResponse({ outputs })]).subarray(1);
    const read = decodeResponse(shifted)?.outputs[0]?.bytes;
    expect(read?.byteOffset).toBe(0);
    expect(new Float64Array(read?.buffer ?? new ArrayBuffer(8))[0]).toBe(1.5);
  });

  it("refuse whatever is cut off, changed in its head, or something else, without an error", () => {
    fc.assert(
      fc.property(fc.array(tensor, { minLength: 1, maxLength: 3 }), fc.nat(), fc.nat(255), (outputs, at, byte) => {
        const value = Buffer.from(encodeResponse({ outputs }));
        expect(decodeResponse(value.subarray(0, at % value.length))).toBeUndefined();
        value[at % value.length] = byte;
        // Any answer but an exception: one that changed in its data is still a response.
        for (const { datatype, shape, bytes } of decodeResponse(value)?.outputs ?? []) {
          if (isDatatype(datatype) && datatype !== "BYTES")
            expect(bytes.length).toBe(shape.reduce((a, b) => a * b, byteSizeOf(datatype)));
        }
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(() => decodeResponse(bytes)).not.toThrow();
      }),
    );
  });
});
