import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DATATYPES,
  type Datatype,
  decodeInferRequest,
  decodeInferResponse,
  encodeInferRequest,
  encodeInferResponse,
  encodeTensorValues,
  type InferRequest,
  NO_CONTROLS,
  type OutputTensor,
  type RequestedOutput,
} from "./index.ts";

const output = (datatype: Datatype, values: readonly unknown[], shape = [values.length]): OutputTensor => ({
  name: "o",
  datatype,
  shape,
  bytes: encodeTensorValues(datatype, values as number[]),
});

const encode = (tensor: OutputTensor, requested: RequestedOutput[] = [], binaryDataOutput = false) =>
  encodeInferResponse(
    { modelName: "m", modelVersion: "1", id: "", outputs: [tensor] },
    { requested, binaryDataOutput },
  );

const dataOf = (tensor: OutputTensor): string => /"data":(.*)}]}$/.exec(encode(tensor).json.toString())?.[1] ?? "";

describe("encodeInferResponse()", () => {
  it("keeps Triton's key order", () => {
    const message = encodeInferResponse(
      {
        modelName: "m",
        modelVersion: "2",
        id: 'i"',
        parameters: new Map<string, number | bigint>([
          ["d", 1],
          ["i", 1n],
        ]),
        outputs: [
          output("INT32", [1, -2], [2, 1]),
          { ...output("FP32", [1]), name: "b" },
          { ...output("FP32", [1]), name: "s" },
        ],
      },
      {
        requested: [
          { name: "o", binary: undefined, classification: 0 },
          { name: "b", binary: true, classification: 0 },
          { name: "s", binary: true, classification: 0, shm: { region: "r", offset: 0, byteSize: 4 } },
        ],
        binaryDataOutput: true,
      },
    );
    expect(message.json.toString()).toBe(
      '{"id":"i\\"","model_name":"m","model_version":"2","parameters":{"d":1.0,"i":1},"outputs":[' +
        '{"name":"o","datatype":"INT32","shape":[2,1],"data":[1,-2]},' +
        '{"name":"b","datatype":"FP32","shape":[1],"parameters":{"binary_data_size":4}},' +
        '{"name":"s","datatype":"FP32","shape":[1]}]}',
    );
    expect(message.headerLength).toBe(message.json.length);
    expect(message.contentType).toBe("application/octet-stream");
    expect(message.blobs.map((blob) => [...blob])).toEqual([[0, 0, 128, 63]]);
  });

  it.each([
    [
      "FP32",
      [0.1, 1, -0, 1e-7, 3e38, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      "[0.10000000149011612,1.0,-0.0,1.0000000116860974e-7,3.0000000054977558e38,NaN,Infinity,-Infinity]",
    ],
    ["FP64", [0.1, 1e20, 1e21, 123456789], "[0.1,100000000000000000000.0,1e21,123456789.0]"],
    ["INT64", [-9223372036854775808n, 9223372036854775807n], "[-9223372036854775808,9223372036854775807]"],
    ["UINT64", [18446744073709551615n], "[18446744073709551615]"],
    ["BOOL", [true, false], "[true,false]"],
    ["BYTES", ['a"\n', "é", Uint8Array.of(0xff, 0x61)], '["a\\"\\n","é","\ufffda"]'],
    ["FP32", [], "[]"],
  ] as [Datatype, unknown[], string][])("prints %s (%#)", (datatype, values, text) => {
    expect(dataOf(output(datatype, values))).toBe(text);
  });

  it.each(["FP16", "BF16"] as const)("refuses %s as JSON and sends it binary", (datatype) => {
    const tensor = output(datatype, [1]);
    expect(() => encode(tensor)).toThrow(
      `sending ${datatype} data via JSON is not supported. Please use the binary data format for output`,
    );
    expect(encode(tensor, [], true).blobs).toHaveLength(1);
  });

  it("is plain JSON when all blobs are empty", () => {
    const message = encode(output("FP32", []), [], true);
    expect(message).toMatchObject({ contentType: "application/json", blobs: [] });
    expect(message.headerLength).toBeUndefined();
    expect(message.json.toString()).toContain('"parameters":{"binary_data_size":0}');
  });
});

const tensors = fc.array(
  fc
    .constantFrom(...DATATYPES)
    .chain((datatype) =>
      fc
        .array(arbitraryOf(datatype), { maxLength: 20 })
        .map((values) => ({ ...output(datatype, values), json: values.length % 2 === 1 })),
    ),
  { maxLength: 4 },
);

function arbitraryOf(datatype: Datatype): fc.Arbitrary<unknown> {
  if (datatype === "BYTES") return fc.string({ unit: "binary" });
  if (datatype === "BOOL") return fc.boolean();
  if (datatype === "INT64") return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  if (datatype === "UINT64") return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  if (datatype.startsWith("FP") || datatype === "BF16") return fc.float({ noNaN: true });
  return fc.nat(127);
}

describe("round trips", () => {
  it("of requests keep everything", () => {
    fc.assert(
      fc.property(tensors, fc.string(), (list, id) => {
        const named = list.map((tensor, index) => ({
          ...tensor,
          name: `in${index}`,
          json: tensor.json && !tensor.datatype.includes("F16") && tensor.datatype !== "FP16",
        }));
        const request: InferRequest = {
          id,
          modelParameters: new Map<string, number | bigint | string>([
            ["f", 0.5],
            ["i", 7n],
            ["s", id],
          ]),
          controls: { ...NO_CONTROLS, sequenceId: "abc", sequenceStart: true, priority: 2n },
          binaryDataOutput: true,
          inputs: named.map(({ name, datatype, shape, bytes }) => ({
            name,
            datatype,
            shape,
            data: { kind: "bytes", bytes },
          })),
          outputs: [{ name: "o", binary: false, classification: 3 }],
        };
        const json = new Set(named.filter((tensor) => tensor.json).map((tensor) => tensor.name));
        const message = encodeInferRequest(request, { binary: (name) => !json.has(name) });
        const body = Buffer.concat([message.json, ...message.blobs]);
        const decoded = decodeInferRequest(body, {
          headerLength: message.headerLength,
          modelName: "m",
          maxInputSize: 1e6,
        });
        expect(plain(decoded)).toEqual(plain(request));
      }),
    );
  });

  it("of responses keep everything", () => {
    fc.assert(
      fc.property(tensors, fc.string(), (list, id) => {
        const outputs = list.map(({ datatype, shape, bytes }, index) => ({
          name: `o${index}`,
          datatype,
          shape,
          bytes,
        }));
        const requested = list.map((tensor, index) => ({
          name: `o${index}`,
          binary: !tensor.json || tensor.datatype === "FP16" || tensor.datatype === "BF16",
          classification: 0,
        }));
        const response = { modelName: "m", modelVersion: "1", id, parameters: new Map([["p", true]]), outputs };
        const message = encodeInferResponse(response, { requested, binaryDataOutput: true });
        const decoded = decodeInferResponse(Buffer.concat([message.json, ...message.blobs]), message.headerLength);
        expect(plain(decoded)).toEqual(plain(response));
      }),
    );
  });

  it("carry shared-memory references", () => {
    const shm = { region: "r", offset: 8, byteSize: 4 };
    const request: InferRequest = {
      id: "",
      modelParameters: new Map(),
      controls: NO_CONTROLS,
      binaryDataOutput: false,
      inputs: [{ name: "x", datatype: "FP32", shape: [1], data: { kind: "shm", ...shm } }],
      outputs: [{ name: "o", binary: undefined, classification: 0, shm }],
    };
    const { json, headerLength } = encodeInferRequest(request, { binary: () => true });
    expect(decodeInferRequest(json, { headerLength, modelName: "m", maxInputSize: 1e6 })).toEqual(request);
  });
});

/** Bytes as number lists: views and buffers of equal content are equal. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return [...value];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}
