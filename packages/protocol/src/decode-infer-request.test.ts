import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Datatype,
  decodeInferRequest,
  decodeTensorValues,
  encodeTensorValues,
  type InferRequest,
} from "./index.ts";

const decode = (json: unknown, blobs: Uint8Array = new Uint8Array(0), maxInputSize = 2 ** 26): InferRequest => {
  const text = Buffer.from(typeof json === "string" ? json : JSON.stringify(json));
  const body = Buffer.concat([text, blobs]);
  return decodeInferRequest(body, { headerLength: text.length, modelName: "m", maxInputSize });
};

const withData = (datatype: string, data: string, shape = "[1]", maxInputSize?: number): Uint8Array => {
  const request = decode(
    `{"inputs":[{"data":${data},"shape":${shape},"datatype":"${datatype}","name":"x"}]}`,
    undefined,
    maxInputSize,
  );
  const input = request.inputs[0]?.data;
  return input?.kind === "bytes" ? input.bytes : new Uint8Array([255]);
};

const input = (extra: object) => ({ inputs: [{ name: "x", datatype: "FP32", shape: [1], ...extra }] });

const SOURCES =
  "Input must set only one of the following fields: 'data', 'binary_data_size' in 'parameters', 'shared_memory_region' in 'parameters'. ";

describe("decodeInferRequest()", () => {
  it("decodes everything a request may say", () => {
    const request = decode(
      `{"id":"r1","parameters":{"sequence_id":18446744073709551615,"sequence_start":true,"priority":3,"timeout":10,
        "binary_data_output":true,"temperature":1.0,"n":-4,"s":"t","b":false,"big":18446744073709551615,"__proto__":7},
        "inputs":[{"name":"b","datatype":"INT8","shape":[2,1],"parameters":{"binary_data_size":2},"unknown":[{}]},
        {"name":"s","datatype":"FP32","shape":[4],"parameters":{"shared_memory_region":"r","shared_memory_byte_size":16}},
        {"name":"j","datatype":"BYTES","shape":[2],"data":[["a"],["é\\u0000"]]}],
        "outputs":[{"name":"o","parameters":{"classification":2,"binary_data":true}},{"name":"p"},
        {"name":"q","parameters":{"shared_memory_region":"r","shared_memory_offset":4,"shared_memory_byte_size":8}}]}`,
      Uint8Array.of(1, 255),
    );
    expect(request).toEqual({
      id: "r1",
      controls: {
        sequenceId: 18446744073709551615n,
        sequenceStart: true,
        sequenceEnd: false,
        priority: 3n,
        timeoutMicroseconds: 10n,
      },
      binaryDataOutput: true,
      modelParameters: new Map<string, unknown>([
        ["temperature", 1],
        ["n", -4n],
        ["s", "t"],
        ["b", false],
        ["big", 2 ** 64],
        ["__proto__", 7n],
      ]),
      inputs: [
        { name: "b", datatype: "INT8", shape: [2, 1], data: { kind: "bytes", bytes: expect.anything() } },
        { name: "s", datatype: "FP32", shape: [4], data: { kind: "shm", region: "r", offset: 0, byteSize: 16 } },
        { name: "j", datatype: "BYTES", shape: [2], data: { kind: "bytes", bytes: expect.anything() } },
      ],
      outputs: [
        { name: "o", binary: true, classification: 2 },
        { name: "p", binary: undefined, classification: 0 },
        { name: "q", binary: undefined, classification: 0, shm: { region: "r", offset: 4, byteSize: 8 } },
      ],
    });
    const [b, , j] = request.inputs.map(({ data }) => (data.kind === "bytes" ? [...data.bytes] : []));
    expect(b).toEqual([1, 255]);
    expect(j).toEqual([1, 0, 0, 0, 97, 3, 0, 0, 0, 0xc3, 0xa9, 0]);
  });

  it("gives views of the body for binary data", () => {
    const body = Buffer.from(`${JSON.stringify(input({ parameters: { binary_data_size: 4 } }))}abcd`);
    const request = decodeInferRequest(body, { headerLength: body.length - 4, modelName: "m", maxInputSize: 1000 });
    const data = request.inputs[0]?.data;
    expect(data?.kind === "bytes" && data.bytes.buffer).toBe(body.buffer);
  });

  it.each([0, ""])("takes sequence_id %j as none", (id) => {
    expect(decode({ parameters: { sequence_id: id }, inputs: [] }).controls).not.toHaveProperty("sequenceId");
  });

  it.each([
    ["{", 500, "failed to parse the request JSON buffer: "],
    [[], 500, "Unable to parse 'inputs': attempt to access JSON non-object as object"],
    [{}, 500, "Unable to parse 'inputs': attempt to access non-existing object member 'inputs'"],
    [{ inputs: {} }, 500, "Unable to parse 'inputs': attempt to access JSON non-array as array"],
    [{ id: 5, inputs: [] }, 500, "Unable to parse 'id': attempt to access JSON non-string as string"],
    [
      { parameters: { sequence_id: -1 }, inputs: [] },
      500,
      "Unable to parse 'sequence_id': attempt to access JSON non-string as string",
    ],
    [
      { parameters: { sequence_start: 1 }, inputs: [] },
      500,
      "Unable to parse 'sequence_start': attempt to access JSON non-boolean as boolean",
    ],
    [
      { parameters: { priority: 0.5 }, inputs: [] },
      500,
      "Unable to parse 'priority': attempt to access JSON non-unsigned-integer as unsigned-integer",
    ],
    [
      { parameters: { triton_x: 1 }, inputs: [] },
      400,
      "parameter keys starting with 'triton_' are reserved for Triton usage and should not be specified.",
    ],
    [
      { parameters: { a: null }, inputs: [] },
      400,
      "parameter 'a' has invalid type. It should be either 'int', 'bool', or 'string'.",
    ],
    [
      { parameters: { a: [1] }, inputs: [] },
      400,
      "parameter 'a' has invalid type. It should be either 'int', 'bool', or 'string'.",
    ],
    [
      { inputs: [{ datatype: "FP32", shape: [1] }] },
      500,
      "Unable to parse 'name': attempt to access non-existing object member 'name'",
    ],
    [
      input({ shape: [-1] }),
      500,
      "Unable to parse 'shape': attempt to access JSON non-unsigned-integer as unsigned-integer",
    ],
    [
      input({ shape: [1.5] }),
      500,
      "Unable to parse 'shape': attempt to access JSON non-unsigned-integer as unsigned-integer",
    ],
    [
      input({ shape: [2 ** 40, 2 ** 40], data: [] }),
      400,
      "invalid shape for input 'x': shape [1099511627776,1099511627776] causes total element count to exceed maximum size of 9223372036854775807",
    ],
    [input({}), 400, `${SOURCES}But no field is set`],
    [input({ data: [1], parameters: { binary_data_size: 4 } }), 400, `${SOURCES}But set 'data' 'binary_data_size'`],
    [
      input({ parameters: { binary_data_size: 4 } }),
      400,
      "unexpected size for input 'x', expecting 4 additional bytes for model 'm'",
    ],
    [
      input({ datatype: "FP16", data: [1] }),
      400,
      "receiving FP16 data via JSON is not supported. Please use the binary data format for input x",
    ],
    [input({ data: 5 }), 500, "Unable to parse 'data': attempt to access JSON non-array as array"],
    [
      input({ parameters: { shared_memory_region: "r" } }),
      500,
      "Unable to parse 'shared_memory_byte_size': attempt to access non-existing object member 'shared_memory_byte_size'",
    ],
    [
      {
        inputs: [],
        outputs: [
          { name: "o", parameters: { shared_memory_region: "r", shared_memory_byte_size: 1, classification: 1 } },
        ],
      },
      400,
      "Output can't set both 'shared_memory_region' and 'classification'",
    ],
  ] as [unknown, number, string][])("refuses %j", (json, status, text) => {
    const code = status === 500 ? "INTERNAL" : "INVALID_ARGUMENT";
    expect(() => decode(json)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(text) }));
  });

  it("refuses left-over bytes and oversized JSON", () => {
    expect(() => decode({ inputs: [] }, Uint8Array.of(1))).toThrow("unexpected additional input data for model 'm'");
    expect(() => decode({ inputs: [] }, undefined, 5)).toThrow(
      "request JSON size of 13 bytes exceeds the maximum allowed input size of 5 bytes. Use --http-max-input-size to increase the limit.",
    );
    const options = { headerLength: 20, modelName: "m", maxInputSize: 100 };
    expect(() => decodeInferRequest(Buffer.from("{}"), options)).toThrow(
      "unexpected size for request JSON, expecting 18 more bytes",
    );
  });
});

describe("JSON data", () => {
  it.each([
    ["FP32", "[1,2]", "[1]", "Unable to parse 'data': Shape does not match true shape of 'data' field"],
    ["BYTES", '["a","b"]', "[1]", "Unable to parse 'data': shape does not match true shape of 'data' field"],
    ["FP32", "[1,2]", "[3]", "Failed to parse 'data' field: shape does not match true shape"],
    ["FP32", "[1]", "[1000000]", "Failed to parse 'data' field: shape does not match true shape"],
    ["BYTES", '["aaaaaaaaa"]', "[3]", "Failed to parse 'data' field: shape does not match true shape"],
    ["FP32", '["1"]', "[1]", "Unable to parse 'data': attempt to access JSON non-number as double"],
    ["FP32", "[{}]", "[1]", "Unable to parse 'data': attempt to access JSON non-number as double"],
    ["INT32", "[1.0]", "[1]", "Unable to parse 'data': attempt to access JSON non-signed-integer as signed-integer"],
    [
      "INT64",
      "[9223372036854775808]",
      "[1]",
      "Unable to parse 'data': attempt to access JSON non-signed-integer as signed-integer",
    ],
    [
      "INT64",
      "[-9223372036854775809]",
      "[1]",
      "Unable to parse 'data': attempt to access JSON non-signed-integer as signed-integer",
    ],
    [
      "INT8",
      `[${"9".repeat(400)}]`,
      "[1]",
      "Unable to parse 'data': attempt to access JSON non-signed-integer as signed-integer",
    ],
    ["UINT8", "[-1]", "[1]", "Unable to parse 'data': attempt to access JSON non-unsigned-integer as unsigned-integer"],
    [
      "UINT64",
      "[18446744073709551616]",
      "[1]",
      "Unable to parse 'data': attempt to access JSON non-unsigned-integer as unsigned-integer",
    ],
    ["BOOL", "[1]", "[1]", "Unable to parse 'data': attempt to access JSON non-boolean as boolean"],
    ["BYTES", "[1]", "[1]", "Unable to parse 'data': attempt to access JSON non-string as string"],
    ["FP32", "[abc]", "[1]", "failed to parse the request JSON buffer: Invalid value. at "],
    ["FP32", "[1,]", "[1]", "Unable to parse 'data': Shape does not match"],
    ["FP32", "[1 2]", "[2]", "Missing a comma or ]"],
    ["FP32", "[[1}]", "[1]", "Missing a comma or ]"],
    ["FP32", "[1}", "[0]", "Missing a comma or ]"],
  ])("of %s %j with shape %s is refused", (datatype, data, shape, text) => {
    expect(() => withData(datatype, data, shape)).toThrow(
      expect.objectContaining({ code: "INTERNAL", message: expect.stringContaining(text) }),
    );
  });

  it("is limited in size, before memory is reserved", () => {
    expect(() => withData("FP64", `[${"1,".repeat(60)}1]`, "[61]", 300)).toThrow(
      "JSON input 'x' has a byte_size (488 bytes) that exceeds the maximum allowed value of 300 bytes. Use --http-max-input-size to increase the limit.",
    );
    expect(() => withData("BYTES", `["","","",""]`, "[4]", 80)).not.toThrow();
  });

  it.each([
    ["INT8", "[300,-129]", "[2]", [44, 127]],
    ["UINT8", "[9223372036854775807,18446744073709551615]", "[2]", [255, 255]],
    [
      "INT64",
      "[-9223372036854775808,9223372036854775807]",
      "[2]",
      [0, 0, 0, 0, 0, 0, 0, 128, 255, 255, 255, 255, 255, 255, 255, 127],
    ],
    ["INT64", "[-9007199254740993]", "[1]", [255, 255, 255, 255, 255, 255, 223, 255]],
    ["BOOL", "[[true],[[false]]]", "[2]", [1, 0]],
    ["FP32", "[]", "[0]", []],
    ["FP32", "[1]", "[]", []],
    ["WRONG", "[1]", "[1]", []],
    ["FP32", "[[],[ [0.5] ],[]]", "[1]", [0, 0, 0, 63]],
    ["FP32", "[-Inf]", "[1]", [0, 0, 128, 255]],
    ["BYTES", '["\\ud83d\\ude00"]', "[1]", [4, 0, 0, 0, 0xf0, 0x9f, 0x98, 0x80]],
  ])("of %s %j becomes bytes", (datatype, data, shape, bytes) => {
    expect([...withData(datatype, data, shape)]).toEqual(bytes);
  });

  const values: Record<Exclude<Datatype, "FP16" | "BF16">, fc.Arbitrary<unknown>> = {
    BOOL: fc.boolean(),
    UINT8: fc.nat(255),
    UINT16: fc.nat(65_535),
    UINT32: fc.nat(2 ** 32 - 1),
    UINT64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    INT8: fc.integer({ min: -128, max: 127 }),
    INT16: fc.integer({ min: -32_768, max: 32_767 }),
    INT32: fc.integer(),
    INT64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    FP32: fc.float({ noNaN: true, noDefaultInfinity: true }),
    FP64: fc.double({ noNaN: true, noDefaultInfinity: true }),
    BYTES: fc.string({ unit: "binary" }),
  };

  it.each(Object.entries(values))("of %s has the exact values, flat or nested", (datatype, arbitrary) => {
    const print = (value: unknown) =>
      typeof value === "bigint" ? value.toString() : Object.is(value, -0) ? "-0" : JSON.stringify(value);
    fc.assert(
      fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 40 }), fc.boolean(), (list, nested) => {
        const texts = list.map(print).map((text) => (nested ? ` [ ${text} ]` : text));
        const bytes = withData(datatype, `[${texts.join(",")}]`, `[${list.length},1]`);
        const expected = encodeTensorValues(datatype as Datatype, list as number[]);
        expect(Buffer.compare(bytes, expected)).toBe(0);
        expect(decodeTensorValues(datatype as Datatype, bytes).length).toBe(list.length);
      }),
    );
  });
});
