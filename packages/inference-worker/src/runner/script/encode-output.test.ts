import { DATATYPES, type Datatype, decodeTensorValues } from "@nereid/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NUMERIC_ARRAYS } from "../typed-view.ts";
import { encodeOutput } from "./encode-output.ts";
import { ScriptTensor } from "./script-tensor.ts";

const NUMERIC = DATATYPES.filter((datatype) => datatype !== "BYTES");

/** The bytes of an output as an input of the next script. */
function roundTrip(datatype: Datatype, output: { shape: readonly number[]; data: unknown }, offset = 64): ScriptTensor {
  const { bytes, shape } = encodeOutput("Y", output, datatype);
  const buffer = new ArrayBuffer(offset + bytes.byteLength);
  new Uint8Array(buffer).set(bytes, offset);
  return new ScriptTensor({ name: "X", datatype, shape, segment: 1, offset, byteLength: bytes.byteLength }, buffer);
}

describe("a script's tensors", () => {
  it.each(NUMERIC)("%s come back as the typed array they were, without a copy on the way out", (datatype) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 })), (values) => {
        const data = new NUMERIC_ARRAYS[datatype](new ArrayBuffer(values.length * 8), 0, values.length);
        values.forEach((value, index) => {
          data[index] = datatype.endsWith("INT64") ? BigInt(value) : value;
        });
        const output = { shape: [1, values.length], data };
        expect(encodeOutput("Y", output, datatype).bytes.buffer).toBe(data.buffer);
        expect(roundTrip(datatype, output).data).toEqual(data);
        expect(roundTrip(datatype, output, 65).data).toEqual(data);
      }),
    );
  });

  it("BYTES keep texts and bytes", () => {
    const element = fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array());
    fc.assert(
      fc.property(fc.array(element), (elements) => {
        const tensor = roundTrip("BYTES", { shape: [elements.length], data: elements }, 3);
        const expected = elements.map((one) => Buffer.from(one));
        expect(tensor.data).toEqual(expected);
        expect(tensor.text()).toEqual(expected.map((one) => one.toString("utf8")));
      }),
    );
  });

  it.each<[Datatype, unknown[], unknown[]]>([
    ["FP32", [1.5, -2], [1.5, -2]],
    ["FP16", [0.5, 65504], [0.5, 65504]],
    ["BF16", [1, -3], [1, -3]],
    ["INT64", [1, -(2n ** 62n)], [1n, -(2n ** 62n)]],
    ["UINT8", [0, 255], [0, 255]],
    ["BOOL", [true, 0], [true, false]],
  ])("%s take plain arrays", (datatype, data, expected) => {
    const { bytes } = encodeOutput("Y", { shape: [2], data }, datatype);
    expect(Array.from(decodeTensorValues(datatype, bytes) as ArrayLike<unknown>)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [undefined, "must be an object with shape and data, got undefined"],
    [[1, 2], "must be an object with shape and data, got Array"],
    [{ shape: 2, data: [1, 2] }, "must have a shape of whole numbers, got 2"],
    [{ shape: [1.5], data: [1] }, "must have a shape of whole numbers, got [1.5]"],
    [{ shape: [-1], data: [1] }, "must have a shape of whole numbers, got [-1]"],
    [{ shape: [2, 2], data: [1] }, "has shape [2,2], which takes 4 elements, got 1"],
    [{ shape: [], data: [] }, "has shape [], which takes 1 elements, got 0"],
    [
      { shape: [1], data: new Int32Array(1) },
      "of datatype FP32 needs Float32Array or an array of its values, got Int32Array",
    ],
    [{ shape: [1], data: 5 }, "of datatype FP32 needs Float32Array or an array of its values, got 5"],
    [{ shape: [2], data: [1, "2"] }, "of datatype FP32 cannot hold string at 1"],
    [{ shape: [1], data: [undefined] }, "of datatype FP32 cannot hold undefined at 0"],
    [{ shape: [1], data: [1], datatype: "FP64" }, "must be FP32 as the model's configuration says, got FP64"],
    [{ shape: [1], data: [1], datatype: "TYPE_FP32" }, "has datatype 'TYPE_FP32', which is none"],
  ])("say what is wrong with %j", (output, text) => {
    expect(() => encodeOutput("Y", output, "FP32")).toThrow(`output 'Y' ${text}`);
  });

  it.each<[Datatype, unknown, string]>([
    ["INT32", [1.5], "cannot hold 1.5 at 0"],
    ["BOOL", [2], "cannot hold 2 at 0"],
    ["BYTES", "text", "needs an array of texts and Buffers, got string"],
    ["BYTES", [7], "needs texts and Buffers, got 7 at 0"],
  ])("%s do not take %j", (datatype, data, text) => {
    expect(() => encodeOutput("Y", { shape: [1], data }, datatype)).toThrow(text);
  });

  it("need a datatype where none is configured", () => {
    expect(() => encodeOutput("Y", { shape: [1], data: [1] }, undefined)).toThrow("give its datatype");
    expect(encodeOutput("Y", { shape: [1], data: [1], datatype: "INT8" }, undefined).bytes).toEqual(Uint8Array.of(1));
  });

  it("that are no BYTES have no texts, and BYTES that end too early say so", () => {
    expect(() => roundTrip("FP32", { shape: [1], data: [1] }).text()).toThrow("only BYTES has texts");
    const cut = new ScriptTensor(
      { name: "X", datatype: "BYTES", shape: [1], segment: 1, offset: 0, byteLength: 3 },
      new ArrayBuffer(8),
    );
    expect(() => cut.data).toThrow("incomplete string length indicator");
  });
});
