import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeBytesElements } from "./bytes-elements.ts";
import type { Datatype } from "./datatype.ts";
import { decodeGenerateRequest, decodeGenerateRequestInSlices } from "./decode-generate-request.ts";
import { distributeElements } from "./distribute-elements.ts";
import { encodeGenerateResponse, encodeGenerateResponseInSlices } from "./encode-generate-response.ts";
import type { InferInput } from "./infer-types.ts";
import { decodeTensorValues, encodeTensorValues } from "./tensor-values.ts";

const input = (name: string, datatype: Datatype, shape: readonly number[]) => ({ name, datatype, shape });
const MODEL = {
  inputs: [
    input("text", "BYTES", [-1, 1]),
    input("x", "FP32", [-1, -1]),
    input("n", "INT32", [2, 2]),
    input("flag", "BOOL", [1]),
    input("half", "FP16", [-1]),
    input("big", "INT64", [-1]),
  ],
  maxInputSize: 1000,
};
const decode = (body: unknown, model = MODEL) =>
  decodeGenerateRequest(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)), model);

function valuesOf({ datatype, data }: InferInput) {
  if (data.kind !== "bytes") throw new Error("no bytes");
  const values = decodeTensorValues(datatype as Datatype, data.bytes);
  return Array.from(values as ArrayLike<unknown>, (value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
}

describe("decodeGenerateRequest", () => {
  it("makes tensors of inputs and parameters of the rest, nested ones too", () => {
    const request = decode({
      id: "7",
      text: "hello",
      stream: false,
      parameters: { x: [1, 2.5], temperature: 0.5, max_tokens: 20, priority: 3 },
      triton_x: "kept",
    });
    expect(request.id).toBe("7");
    expect(request.inputs.map((tensor) => [tensor.name, tensor.shape, valuesOf(tensor)])).toEqual([
      ["text", [1, 1], ["hello"]],
      ["x", [1, 2], [1, 2.5]],
    ]);
    expect([...request.modelParameters]).toEqual([
      ["id", "7"],
      ["stream", false],
      ["temperature", 0.5],
      ["max_tokens", 20n],
      ["priority", 3n],
      ["triton_x", "kept"],
    ]);
    expect(request.controls).toMatchObject({ priority: 0n, timeoutMicroseconds: 0n });
  });

  it.each([
    ['{"x":1}', [1, 1], [1]],
    ['{"x":[]}', [1, 0], []],
    ['{"x":NaN}', [1, 1], [Number.NaN]],
    ['{"x":[1e3,-Infinity]}', [1, 2], [1000, Number.NEGATIVE_INFINITY]],
    ['{"n":[1,2,3,4]}', [2, 2], [1, 2, 3, 4]],
    ['{"flag":true}', [1], [true]],
    ['{"big":9223372036854775807}', [1], [2n ** 63n - 1n]],
    ['{"text":["a","é"]}', [2, 1], ["a", "é"]],
    ['{"text":"a\\u0000\\"b"}', [1, 1], ['a\0"b']],
  ])("reads %s", (body, shape, values) => {
    const [tensor] = decode(body).inputs;
    expect(tensor?.shape).toEqual(shape);
    expect(tensor && valuesOf(tensor)).toEqual(values);
  });

  it.each([
    ['{"n":[1,2,3]}', "INVALID_ARGUMENT", "The schema can not convert input 'n' to tensor with proper shape"],
    ['{"n":1}', "INVALID_ARGUMENT", "The schema can not convert input 'n'"],
    ['{"flag":[true,false]}', "INVALID_ARGUMENT", "The schema can not convert input 'flag'"],
    ['{"flag":[]}', "INVALID_ARGUMENT", "The schema can not convert input 'flag'"],
    ['{"x":[[1,2],[3]]}', "INTERNAL", "Shape does not match"],
    ['{"n":[1,2,3,4.0]}', "INTERNAL", "non-signed-integer as signed-integer"],
    ['{"n":[1,2,3,"4"]}', "INTERNAL", "non-signed-integer as signed-integer"],
    ['{"big":1.0}', "INTERNAL", "non-signed-integer as signed-integer"],
    ['{"flag":1}', "INTERNAL", "non-boolean as boolean"],
    ['{"text":5}', "INTERNAL", "non-string as string"],
    ['{"x":null}', "INTERNAL", "non-number as double"],
    ['{"x":{"a":1}}', "INTERNAL", "Unable to parse 'x'"],
    ['{"half":1.0}', "INVALID_ARGUMENT", "receiving FP16 data via JSON is not supported."],
    ['{"parameters":[1]}', "INTERNAL", "Expected JSON object for keyword: 'parameters': attempt"],
    ['{"parameters":"x"}', "INTERNAL", "Expected JSON object for keyword: 'parameters': attempt"],
    ['{"parameters":{"parameters":{}}}', "INVALID_ARGUMENT", "parameter 'parameters' has invalid type."],
    [
      '{"other":[1]}',
      "INVALID_ARGUMENT",
      "parameter 'other' has invalid type. It should be either 'int', 'bool', or 'string'.",
    ],
    ['{"other":null}', "INVALID_ARGUMENT", "parameter 'other' has invalid type."],
    ['{"id":7}', "INTERNAL", "Unable to parse 'id'"],
    ["[]", "INTERNAL", "non-object as object"],
    ["", "INTERNAL", "The document is empty."],
    ['{"x":[1,]}', "INTERNAL", "Invalid value."],
    ['{"x":[1 2]}', "INTERNAL", "Missing a comma or ]"],
    [`{"x":${"[".repeat(200)}${"]".repeat(200)}}`, "INVALID_ARGUMENT", "nesting depth"],
    [`{"x":[${"1,".repeat(300)}1]}`, "INVALID_ARGUMENT", "JSON input 'x' has a byte_size (1204 bytes)"],
    [`{"text":"${"a".repeat(1000)}"}`, "INVALID_ARGUMENT", "request JSON size of"],
  ])("refuses %s", (body, code, text) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(text) }));
  });

  it("bounds all inputs together", () => {
    const body = `{"x":[${"1,".repeat(124)}1],"big":[${"1,".repeat(62)}1]}`;
    expect(() => decode(body)).toThrow("JSON input 'big' has a byte_size (1004 bytes)");
  });

  it("refuses a model with an input called parameters", () => {
    const model = { inputs: [input("parameters", "FP32", [1])], maxInputSize: 100 };
    expect(() => decode("{}", model)).toThrow("Keyword 'parameters' for nested schema also given as input tensor name");
  });

  it("decodes alike in slices", async () => {
    const body = Buffer.from(JSON.stringify({ x: Array.from({ length: 100_000 }, (_, at) => at) }));
    const model = { ...MODEL, maxInputSize: 1 << 24 };
    let pauses = 0;
    const sliced = await decodeGenerateRequestInSlices(body, model, async () => {
      pauses += 1;
    });
    expect(sliced).toEqual(decodeGenerateRequest(body, model));
    expect(pauses).toBeGreaterThan(5);
  });

  it("gives every element its place, whatever the shape", () => {
    const dims = fc.array(fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.nat(200), dims, (count, shape) => {
        const given = distributeElements(count, shape);
        const fixed = shape.filter((dim) => dim !== -1).reduce((product, dim) => product * dim, 1);
        const fits = shape.includes(-1) ? count % fixed === 0 : count === fixed;
        expect(given !== undefined).toBe(fits);
        if (given === undefined) return;
        expect(given.reduce((product, dim) => product * dim, 1)).toBe(count);
        shape.forEach((dim, at) => {
          if (dim !== -1) expect(given[at]).toBe(dim);
        });
      }),
    );
  });
});

describe("encodeGenerateResponse", () => {
  const tensor = (
    name: string,
    datatype: Datatype,
    shape: readonly number[],
    values: readonly (number | bigint)[],
  ) => ({
    name,
    datatype,
    shape,
    bytes: encodeTensorValues(datatype, values),
  });
  const answer = {
    modelName: "m",
    modelVersion: "2",
    id: "",
    outputs: [
      tensor("sum", "FP32", [1, 1], [0.5]),
      tensor("Row", "INT64", [1, 3], [1n, 2n, 3n]),
      { name: "text", datatype: "BYTES", shape: [1], bytes: writeBytesElements(['a"b\n']) },
      tensor("none", "INT32", [0], []),
    ],
  };

  it("writes the keys in byte order and unwraps single elements", () => {
    expect(encodeGenerateResponse(answer).toString()).toBe(
      '{"Row":[1,2,3],"model_name":"m","model_version":"2","none":[],"sum":0.5,"text":"a\\"b\\n"}',
    );
  });

  it("has the id and parameters, each key once", () => {
    const parameters = new Map<string, string | bigint>([
      ["sum", "hidden"],
      ["tokens", 3n],
    ]);
    const text = encodeGenerateResponse({
      ...answer,
      id: "x",
      parameters,
      outputs: answer.outputs.slice(0, 1),
    }).toString();
    expect(text).toBe('{"id":"x","model_name":"m","model_version":"2","sum":0.5,"tokens":3}');
  });

  it("cannot write FP16", () => {
    const half = { name: "h", datatype: "FP16", shape: [1], bytes: new Uint8Array(2) };
    expect(() => encodeGenerateResponse({ ...answer, outputs: [half] })).toThrow("sending FP16 data via JSON");
  });

  it("encodes alike in slices", async () => {
    const large = {
      ...answer,
      outputs: [
        tensor(
          "x",
          "FP32",
          [50_000],
          Array.from({ length: 50_000 }, (_, at) => at / 3),
        ),
      ],
    };
    expect(await encodeGenerateResponseInSlices(large, async () => undefined)).toEqual(encodeGenerateResponse(large));
  });
});
