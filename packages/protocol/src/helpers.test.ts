import { describe, expect, it } from "vitest";
import { formatFixed6 } from "./format-fixed.ts";
import { fromBfloat16, fromHalf, toBfloat16, toHalf } from "./half-floats.ts";
import {
  checkBytesElements,
  classify,
  countBytesElements,
  type Datatype,
  decodeRawBinaryRequest,
  decodeTensorValues,
  encodeTensorValues,
  errorBody,
  modelMetadataJson,
  negotiateResponseEncoding,
  parseHeaderLength,
  parseLoadBody,
  parseRepositoryIndexBody,
  parseRequestEncoding,
  parseUnloadBody,
  readBytesElements,
  repositoryIndexJson,
  requestIdPrefix,
  serverMetadataJson,
  writeBytesElements,
} from "./index.ts";

const texts = (bytes: Uint8Array) =>
  (decodeTensorValues("BYTES", bytes) as Uint8Array[]).map((element) => Buffer.from(element).toString());

describe("classify()", () => {
  const tensor = (datatype: Datatype, shape: number[], values: number[]) => ({
    name: "o",
    datatype,
    shape,
    bytes: encodeTensorValues(datatype, values),
  });

  it("answers per batch item, with labels", () => {
    const result = classify(tensor("FP32", [2, 3], [0.1, 0.7, 0.2, 5, 5, Number.NaN]), {
      k: 2,
      batching: true,
      labels: ["cat", "dog"],
    });
    expect(result).toMatchObject({ name: "o", datatype: "BYTES", shape: [2, 2] });
    expect(texts(result.bytes)).toEqual(["0.700000:1:dog", "0.200000:2", "5.000000:0:cat", "5.000000:1:dog"]);
  });

  it("flattens without batching, cuts k, prints integers plainly", () => {
    const result = classify(tensor("INT32", [2, 1], [-3, 4]), { k: 9, batching: false, labels: [] });
    expect(result.shape).toEqual([2]);
    expect(texts(result.bytes)).toEqual(["4:1", "-3:0"]);
  });

  it("refuses other types and huge tensors", () => {
    const options = { k: 1, batching: false, labels: [] };
    expect(() => classify(tensor("FP16", [1], [1]), options)).toThrow(
      "class result not available for output due to unsupported type 'FP16'",
    );
    expect(() =>
      classify({ name: "o", datatype: "INT8", shape: [1_000_001], bytes: new Uint8Array(1_000_001) }, options),
    ).toThrow("classification output tensor too large");
  });

  it.each([
    [1 / 128, "0.007812"],
    [3 / 128, "0.023438"],
    [-1 / 128, "-0.007812"],
    [1e22, "10000000000000000000000.000000"],
    [-0, "-0.000000"],
    [Number.NaN, "nan"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [2 / 3, "0.666667"],
  ])("prints %d like %%f", (value, text) => {
    expect(formatFixed6(value)).toBe(text);
  });
});

describe("half floats", () => {
  it("survive every bit pattern but NaN", () => {
    const changed: number[] = [];
    for (let bits = 0; bits < 65_536; bits += 1) {
      if (!Number.isNaN(fromHalf(bits)) && toHalf(fromHalf(bits)) !== bits) changed.push(bits);
      if (!Number.isNaN(fromBfloat16(bits)) && toBfloat16(fromBfloat16(bits)) !== bits) changed.push(bits);
    }
    expect(changed).toEqual([]);
  });

  it.each([
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [65_519.99, 65_504],
    [65_520, Number.POSITIVE_INFINITY],
    [2 ** -25, 0],
    [2 - 2 ** -12, 2],
  ])("round %d to %d", (value, rounded) => {
    expect(fromHalf(toHalf(value))).toBe(rounded);
  });

  it("keep NaN", () => {
    expect(fromHalf(toHalf(Number.NaN))).toBeNaN();
    expect(fromBfloat16(toBfloat16(Number.NaN))).toBeNaN();
  });
});

describe("BYTES elements", () => {
  const context = { count: 2, inputName: "i", modelName: "m", requestId: "7" };
  const of = "for inference input 'i' for model 'm'";

  it("are written and read", () => {
    const bytes = writeBytesElements(["é", Uint8Array.of(1, 2)]);
    expect(readBytesElements(bytes, context).map((element) => [...element])).toEqual([
      [0xc3, 0xa9],
      [1, 2],
    ]);
    expect(countBytesElements(bytes)).toBe(2);
    expect(() => checkBytesElements(bytes, context)).not.toThrow();
    expect(countBytesElements(bytes.subarray(0, 3))).toBeUndefined();
    expect(countBytesElements(bytes.subarray(0, 5))).toBeUndefined();
  });

  it.each([
    [writeBytesElements(["a"]), `expected 2 string elements ${of}, got 1`],
    [writeBytesElements(["a", "b", "c"]), `unexpected number of string elements 3 ${of}, expecting 2`],
    [Uint8Array.of(1, 0, 0), `incomplete string length indicator ${of}`],
    [
      Uint8Array.of(255, 255, 255, 255, 1),
      `incomplete string data ${of}, expecting string of length 4294967295 but only 1 bytes available`,
    ],
  ])("of the wrong number or length are refused (%#)", (bytes, text) => {
    expect(() => readBytesElements(bytes, context)).toThrow(`[request id: 7] ${text}`);
    expect(() => checkBytesElements(bytes, context)).toThrow(`[request id: 7] ${text}`);
  });
});

describe("tensor values", () => {
  it.each([
    ["BOOL", [1]],
    ["INT64", [1.5]],
    ["BYTES", [5]],
    ["FP32", ["x"]],
  ] as [Datatype, number[]][])("refuse a misfit for %s", (datatype, values) => {
    expect(() => encodeTensorValues(datatype, values)).toThrow(`is no value of a ${datatype} tensor`);
  });

  it("take typed arrays as they are and check sizes", () => {
    expect([...encodeTensorValues("FP32", Float32Array.of(1))]).toEqual([0, 0, 128, 63]);
    expect([...encodeTensorValues("UINT64", [1, 2n]).subarray(0, 9)]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 2]);
    expect(() => decodeTensorValues("FP32", new Uint8Array(3))).toThrow("no whole number of FP32 elements");
    expect(() => decodeTensorValues("BYTES", new Uint8Array(3))).toThrow("ends inside an element");
  });
});

describe("decodeRawBinaryRequest()", () => {
  const model = (datatype: Datatype, dims: number[], maxBatchSize = 0) => ({
    modelName: "m",
    inputs: [{ name: "x", datatype, dims }],
    maxBatchSize,
    maxInputSize: 100,
  });

  it("deduces the shape", () => {
    const body = new Uint8Array(24);
    const request = decodeRawBinaryRequest(body, model("FP32", [2, -1], 8));
    expect(request.inputs).toEqual([
      { name: "x", datatype: "FP32", shape: [1, 2, 3], data: { kind: "bytes", bytes: body } },
    ]);
    expect(request.binaryDataOutput).toBe(true);
    const [text] = decodeRawBinaryRequest(Buffer.from("hey"), model("BYTES", [1])).inputs;
    expect(text?.shape).toEqual([1]);
    expect(text?.data.kind === "bytes" && texts(text.data.bytes)).toEqual(["hey"]);
  });

  it.each([
    [
      model("FP32", [-1, -1]),
      "[request id: <id_unknown>] The shape of the raw input 'x' can not be deduced because there are more than one variable-sized dimension",
    ],
    [model("BYTES", [2]), "For BYTE datatype raw input 'x', the model must have input shape [1]"],
    [model("BYTES", [-1]), "For BYTE datatype raw input 'x', the model must have input shape [1]"],
    [
      { ...model("FP32", [1]), inputs: [] },
      "Raw request must only have 1 input (found 1) to be deduced but got 0 inputs in 'm' model configuration",
    ],
    [
      { ...model("FP32", [1]), maxInputSize: 3 },
      "Raw input has a byte_size (4 bytes) that exceeds the maximum allowed value of 3 bytes.",
    ],
  ])("refuses what cannot be deduced (%#)", (target, text) => {
    expect(() => decodeRawBinaryRequest(new Uint8Array(4), target)).toThrow(text);
  });
});

describe("small bodies and headers", () => {
  it("are printed in order", () => {
    expect(errorBody('a"b')).toBe('{"error":"a\\"b"}');
    expect(serverMetadataJson({ extensions: ["x"], version: "2", name: "n" })).toBe(
      '{"name":"n","version":"2","extensions":["x"]}',
    );
    const x = { shape: [-1, 2], datatype: "FP32", name: "x" } as const;
    expect(modelMetadataJson({ inputs: [x], outputs: [], platform: "p", versions: ["1"], name: "n" })).toBe(
      '{"name":"n","versions":["1"],"platform":"p","inputs":[{"name":"x","datatype":"FP32","shape":[-1,2]}],"outputs":[]}',
    );
    expect(
      repositoryIndexJson([
        { name: "a" },
        { reason: "", state: "READY", version: "1", name: "b" },
        { name: "c", reason: "r" },
      ]),
    ).toBe('[{"name":"a"},{"name":"b","version":"1","state":"READY"},{"name":"c","reason":"r"}]');
    expect(requestIdPrefix("")).toBe("[request id: <id_unknown>] ");
  });

  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

  it("are parsed", () => {
    expect(parseRepositoryIndexBody(Buffer.alloc(0))).toEqual({ ready: false });
    expect(parseRepositoryIndexBody(bytes({ ready: true }))).toEqual({ ready: true });
    expect(parseUnloadBody(bytes({ parameters: { unload_dependents: true } }))).toEqual({ unloadDependents: true });
    expect(parseUnloadBody(Buffer.alloc(0))).toEqual({ unloadDependents: false });
    expect(parseLoadBody(Buffer.alloc(0))).toEqual({ files: new Map() });
    const load = parseLoadBody(bytes({ parameters: { config: "{}", "file:1/m.onnx": "aGk=" } }));
    expect(load.config).toBe("{}");
    expect(Buffer.from(load.files.get("1/m.onnx") ?? []).toString()).toBe("hi");
  });

  it.each([
    [
      () => parseRepositoryIndexBody(bytes({ ready: 1 })),
      "INVALID_ARGUMENT",
      "Invalid value for 'ready': expected a boolean",
    ],
    [() => parseRepositoryIndexBody(Buffer.from("nope")), "INTERNAL", "failed to parse"],
    [
      () => parseUnloadBody(bytes({ parameters: { unload_dependents: 1 } })),
      "INTERNAL",
      "Unable to parse 'unload_dependents': attempt to access JSON non-boolean as boolean",
    ],
    [
      () => parseLoadBody(bytes({ parameters: { config: {} } })),
      "INTERNAL",
      "Unable to parse 'config': attempt to access JSON non-string as string",
    ],
    [
      () => parseLoadBody(bytes({ parameters: { x: "1" } })),
      "INTERNAL",
      "unexpected error on creating Triton parameter",
    ],
    [() => parseLoadBody(bytes({ parameters: { "file:a": "%%%%" } })), "INVALID_ARGUMENT", "not valid base64"],
    [() => parseHeaderLength("x", 5), "INVALID_ARGUMENT", "Unable to parse Inference-Header-Content-Length, got: x"],
    [() => parseHeaderLength("6", 5), "INVALID_ARGUMENT", "inference header size should be in range (0, 5), got: 6"],
    [() => parseHeaderLength("-1", 5), "INVALID_ARGUMENT", "inference header size should be in range (0, 5), got: -1"],
    [() => parseRequestEncoding("br"), "UNSUPPORTED", "Unsupported compression type"],
  ])("are refused (%#)", (call, code, text) => {
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringContaining(text) }));
  });

  it("give header lengths and encodings", () => {
    expect([parseHeaderLength(undefined, 5), parseHeaderLength("5", 5), parseHeaderLength("0", 5)]).toEqual([
      undefined,
      5,
      0,
    ]);
    expect([undefined, "", "identity", "gzip", "deflate"].map(parseRequestEncoding)).toEqual([
      "identity",
      "identity",
      "identity",
      "gzip",
      "deflate",
    ]);
  });

  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate", "gzip"],
    ["deflate;q=0.5, GZIP;q=0.8, br", "gzip"],
    ["br;q=1.0, *;q=0.1", "identity"],
    ["gzip;q=0", "identity"],
    ["gzip;q=x, deflate;q=0.1", "deflate"],
    ["identity;q=0.5, gzip;q=0.5", "identity"],
  ])("negotiates %j", (header, encoding) => {
    expect(negotiateResponseEncoding(header)).toBe(encoding);
  });
});
