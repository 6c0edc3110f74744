import { create } from "@bufbuild/protobuf";
import { byteSizeOf, DATATYPES, type Datatype, type InferResponse, type ParameterValue } from "@nereid/protocol";
import fc from "fast-check";
import { type ModelInferRequest, ModelInferRequestSchema } from "../gen/grpc_service_pb.ts";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const text = fc.string({ unit: "grapheme", maxLength: 60 });
/** The classes keep maps in plain objects, which have no place for this name. */
const key = text.filter((name) => name !== "__proto__");

const parameterChoice = fc.oneof(
  fc.record({ case: fc.constant("boolParam" as const), value: fc.boolean() }),
  fc.record({ case: fc.constant("int64Param" as const), value: int64 }),
  fc.record({ case: fc.constant("stringParam" as const), value: text }),
  fc.record({ case: fc.constant("doubleParam" as const), value: fc.double() }),
  fc.record({ case: fc.constant("uint64Param" as const), value: uint64 }),
);
const parameters = fc.dictionary(
  key,
  parameterChoice.map((choice) => ({ parameterChoice: choice })),
  { maxKeys: 5 },
);
const bytes = fc.uint8Array({ maxLength: 300 });
const shape = fc.array(fc.oneof(fc.bigInt({ min: -2n, max: 70000n }), fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })), {
  maxLength: 5,
});

/** Any ModelInferRequest, sensible or not, as the generated class has it. */
export const wireRequests: fc.Arbitrary<ModelInferRequest> = fc
  .record({
    modelName: text,
    modelVersion: text,
    id: text,
    parameters,
    inputs: fc.array(fc.record({ name: text, datatype: fc.constantFrom(...DATATYPES, "X"), shape, parameters }), {
      maxLength: 4,
    }),
    outputs: fc.array(fc.record({ name: text, parameters }), { maxLength: 4 }),
    rawInputContents: fc.array(bytes, { maxLength: 4 }),
  })
  .map((parts) => create(ModelInferRequestSchema, parts));

const parameterValue: fc.Arbitrary<ParameterValue> = fc.oneof(fc.boolean(), int64, text, fc.double());

/** Responses as the server sends them; tensors of up to `maxBytes`. */
export function responses(maxBytes: number): fc.Arbitrary<InferResponse> {
  return fc.record({
    modelName: text,
    modelVersion: text,
    id: text,
    parameters: fc.array(fc.tuple(key, parameterValue), { maxLength: 4 }).map((entries) => new Map(entries)),
    outputs: fc.array(
      fc.record({
        name: text,
        datatype: fc.constantFrom(...DATATYPES),
        shape: fc.array(fc.nat(100_000), { maxLength: 4 }),
        bytes: fc.nat(maxBytes).map((length) => Buffer.alloc(length, length)),
      }),
      { maxLength: 4 },
    ),
  });
}

const SIGNED: Readonly<Partial<Record<Datatype, number>>> = { INT8: 7, INT16: 15, INT32: 31 };

/** A tensor as typed contents, and the bytes they stand for. */
export interface TypedTensor {
  readonly datatype: Datatype;
  readonly contents: Readonly<Record<string, readonly unknown[]>>;
  readonly bytes: Buffer;
}

function whole(field: string, datatype: Datatype): fc.Arbitrary<TypedTensor> {
  const size = byteSizeOf(datatype);
  const bits = SIGNED[datatype];
  const value =
    bits === undefined
      ? fc.integer({ min: 0, max: 2 ** (8 * size) - 1 })
      : fc.integer({ min: -(2 ** bits), max: 2 ** bits - 1 });
  return fc.array(value).map((values) => {
    const out = Buffer.alloc(size * values.length);
    for (const [index, item] of values.entries()) {
      if (bits === undefined) out.writeUIntLE(item, index * size, size);
      else out.writeIntLE(item, index * size, size);
    }
    return { datatype, contents: { [field]: values }, bytes: out };
  });
}

function long(field: string, datatype: "INT64" | "UINT64"): fc.Arbitrary<TypedTensor> {
  return fc.array(datatype === "INT64" ? int64 : uint64).map((values) => {
    const array = datatype === "INT64" ? BigInt64Array.from(values) : BigUint64Array.from(values);
    return { datatype, contents: { [field]: values }, bytes: Buffer.from(array.buffer) };
  });
}

/** Every datatype that has typed contents. */
export const typedTensors: fc.Arbitrary<TypedTensor> = fc.oneof(
  fc.array(fc.boolean()).map((values) => ({
    datatype: "BOOL" as const,
    contents: { boolContents: values },
    bytes: Buffer.from(values.map(Number)),
  })),
  whole("intContents", "INT8"),
  whole("intContents", "INT16"),
  whole("intContents", "INT32"),
  whole("uintContents", "UINT8"),
  whole("uintContents", "UINT16"),
  whole("uintContents", "UINT32"),
  long("int64Contents", "INT64"),
  long("uint64Contents", "UINT64"),
  fc.array(fc.float()).map((values) => ({
    datatype: "FP32" as const,
    contents: { fp32Contents: values },
    bytes: Buffer.from(Float32Array.from(values).buffer),
  })),
  fc.array(fc.double()).map((values) => ({
    datatype: "FP64" as const,
    contents: { fp64Contents: values },
    bytes: Buffer.from(Float64Array.from(values).buffer),
  })),
  fc.array(fc.uint8Array({ maxLength: 20 })).map((values) => ({
    datatype: "BYTES" as const,
    contents: { bytesContents: values },
    bytes: Buffer.concat(
      values.map((value) => Buffer.concat([Buffer.from(Uint32Array.of(value.length).buffer), value])),
    ),
  })),
);
