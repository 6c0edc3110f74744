import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { NereidError } from "@nereid/errors";
import { type InferRequest, type InferResponse, NO_CONTROLS } from "@nereid/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PREFIX_BYTES } from "../framing/frame-prefix.ts";
import {
  ModelInferRequestSchema,
  ModelInferResponseSchema,
  ModelStreamInferResponseSchema,
} from "../gen/grpc_service_pb.ts";
import { responses, typedTensors, wireRequests } from "../testing/arbitraries.ts";
import { decodeInferMessage } from "./decode-infer-message.ts";
import { decodeInferMessageResponse, decodeStreamResponse } from "./decode-infer-response.ts";
import { encodeInferMessage } from "./encode-infer-request.ts";
import {
  type EncodedFrame,
  encodeInferResponse,
  encodeStreamFailure,
  encodeStreamResponse,
} from "./encode-infer-response.ts";
import { peekInferHead } from "./peek-infer-head.ts";
import { hasLargeContents, toInferRequest, toInferRequestInSlices } from "./to-infer-request.ts";

/** The message in a frame, which must be whole and plain. */
function unframe({ pieces, byteLength }: EncodedFrame): Buffer {
  const whole = Buffer.concat(pieces);
  expect(whole.byteLength).toBe(byteLength);
  expect([whole[0], whole.readUInt32BE(1)]).toEqual([0, byteLength - PREFIX_BYTES]);
  return whole.subarray(PREFIX_BYTES);
}

const KINDS = {
  boolParam: "bool",
  int64Param: "int64",
  stringParam: "string",
  doubleParam: "double",
  uint64Param: "uint64",
} as const;

describe("decodeInferMessage()", () => {
  it("reads what the generated class writes", () => {
    fc.assert(
      fc.property(wireRequests, (message) => {
        const bytes = toBinary(ModelInferRequestSchema, message);
        const read = decodeInferMessage(bytes);
        const mapOf = (given: typeof message.parameters) =>
          Object.entries(given).map(([key, { parameterChoice: choice }]) => [
            key,
            { kind: choice.case === undefined ? "unset" : KINDS[choice.case], value: choice.value },
          ]);
        const entries = (map: ReadonlyMap<string, unknown> | undefined) => [...(map ?? [])];
        expect([read.modelName, read.modelVersion, read.id]).toEqual([
          message.modelName,
          message.modelVersion,
          message.id,
        ]);
        expect(entries(read.parameters)).toEqual(mapOf(message.parameters));
        expect(read.inputs.map(({ name, datatype, shape }) => ({ name, datatype, shape: shape.map(BigInt) }))).toEqual(
          message.inputs.map(({ name, datatype, shape }) => ({ name, datatype, shape })),
        );
        expect(read.inputs.map(({ parameters }) => entries(parameters))).toEqual(
          message.inputs.map(({ parameters }) => mapOf(parameters)),
        );
        expect(read.outputs.map(({ name, parameters }) => [name, entries(parameters)])).toEqual(
          message.outputs.map(({ name, parameters }) => [name, mapOf(parameters)]),
        );
        expect(read.raw.map((view) => Buffer.from(view))).toEqual(
          message.rawInputContents.map((view) => Buffer.from(view)),
        );
        for (const view of read.raw) expect(view.buffer).toBe(bytes.buffer);
      }),
    );
  });

  it("throws nothing but INVALID_ARGUMENT on any bytes, and on any cut or change of a message", () => {
    const attempt = (bytes: Uint8Array) => {
      try {
        toInferRequest(decodeInferMessage(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(NereidError);
        expect(NereidError.from(error).code).toBe("INVALID_ARGUMENT");
      }
      peekInferHead(bytes);
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), attempt), { numRuns: 3000 });
    fc.assert(
      fc.property(wireRequests, fc.nat(), fc.nat(255), (message, at, byte) => {
        const bytes = toBinary(ModelInferRequestSchema, message);
        attempt(bytes.subarray(0, at % (bytes.length + 1)));
        const changed = Uint8Array.from(bytes);
        if (changed.length > 0) changed[at % changed.length] = byte;
        attempt(changed);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["a truncated varint", [0x28, 0xff]],
    ["a varint of 11 bytes", [0x40, ...Array(10).fill(0xff), 1]],
    ["field number 0", [0x02, 0x00]],
    ["wire type 6", [0x46]],
    ["wire type 7", [0x47]],
    ["a length beyond the end", [0x0a, 0x05, 0x41]],
    ["a length of 2^64-1", [0x3a, ...Array(9).fill(0xff), 1]],
    ["a number where a text should be", [0x08, 0x01]],
    ["a text where an input should be, cut off", [0x2a, 0x02, 0x0a, 0x05]],
    ["a text that is not UTF-8", [0x0a, 0x02, 0xc3, 0x28]],
    ["an overlong encoding of '/'", [0x0a, 0x02, 0xc0, 0xaf]],
    ["a group without an end", [0x43]],
    ["an end without a group", [0x44]],
    ["a group that ends as another", [0x43, 0x4c]],
    ["10^5 nested groups", Array(100_000).fill(0x43)],
  ])("refuses %s", (_title, bytes) => {
    expect(() => decodeInferMessage(Uint8Array.from(bytes))).toThrow(/^the message cannot be parsed: /);
  });

  it("skips unknown fields of every kind", () => {
    const unknown = [0xc8, 1, 5, 0xc1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0xc2, 1, 2, 9, 9, 0xc5, 1, 1, 2, 3, 4];
    const group = [0xc3, 1, ...unknown, 0xc3, 1, 0xc4, 1, 0xc4, 1];
    const bytes = Uint8Array.from([...unknown, 0x0a, 1, 0x6d, ...group, 0x1a, 1, 0x69]);
    expect(decodeInferMessage(bytes)).toMatchObject({ modelName: "m", id: "i" });
  });

  it.each([
    ["10^5 parameters", new Uint8Array(2 * 100_000).map((_, index) => (index % 2 === 0 ? 0x22 : 0)), 0],
    ["a million fields of nothing", new Uint8Array(2 * 1_000_001).map((_, index) => (index % 2 === 0 ? 0x40 : 0)), 1],
    ["a million inputs", new Uint8Array(2 * 1_000_000).map((_, index) => (index % 2 === 0 ? 0x2a : 0)), 1],
  ])("is bounded on %s", (_title, bytes, refused) => {
    // The keys are all the same: one parameter.
    if (refused === 0) expect(decodeInferMessage(bytes).parameters?.size).toBe(1);
    else expect(() => decodeInferMessage(bytes)).toThrow(/too many|more than/);
  });

  it("keeps a parameter called __proto__ as it is", () => {
    const key = Buffer.from("__proto__");
    const entry = Buffer.concat([Buffer.from([0x0a, key.length]), key, Buffer.from([0x12, 2, 0x08, 1])]);
    const { parameters } = decodeInferMessage(Buffer.concat([Buffer.from([0x22, entry.length]), entry]));
    expect([...(parameters ?? [])]).toEqual([["__proto__", { kind: "bool", value: true }]]);
    expect(Object.hasOwn(Object.prototype, "kind")).toBe(false);
  });
});

describe("peekInferHead()", () => {
  it("says where the first raw tensor begins as soon as that is known", () => {
    fc.assert(
      fc.property(wireRequests, (message) => {
        const bytes = toBinary(ModelInferRequestSchema, message);
        const [first] = decodeInferMessage(bytes).raw;
        const offset = first === undefined ? undefined : first.byteOffset - bytes.byteOffset;
        const head = peekInferHead(bytes);
        expect(head?.tensorOffset).toBe(offset);
        if (head === undefined) return;
        expect(head).toMatchObject({ modelName: message.modelName, modelVersion: message.modelVersion });
        expect(peekInferHead(bytes.subarray(0, head.tensorOffset))).toEqual(head);
        expect(peekInferHead(bytes.subarray(0, head.tensorOffset - 1))).toBeUndefined();
      }),
    );
  });
});

describe("typed contents", () => {
  it("become the bytes that raw contents would have been, packed or not, in one piece or two", async () => {
    await fc.assert(
      fc.asyncProperty(typedTensors, fc.nat(), async ({ datatype, contents, bytes }, cut) => {
        const [[field = "", values = []] = []] = Object.entries(contents);
        const at = values.length === 0 ? 0 : cut % values.length;
        const message = (parts: readonly (readonly unknown[])[]) =>
          Buffer.concat(
            parts.map((part) =>
              toBinary(
                ModelInferRequestSchema,
                create(ModelInferRequestSchema, {
                  inputs: [{ name: "x", datatype, shape: [1n], contents: { [field]: part } }],
                }),
              ),
            ),
          );
        const data = { kind: "bytes", bytes };
        const one = decodeInferMessage(message([values]));
        expect(toInferRequest(one).request.inputs).toMatchObject([{ data }]);
        expect((await toInferRequestInSlices(one, async () => undefined)).request.inputs).toMatchObject([{ data }]);
        // The input's message field may come twice; then its parts are joined.
        const halves = [values.slice(0, at), values.slice(at)].map((part) => decodeInferMessage(message([part])));
        const views = halves.flatMap(({ inputs }) => inputs[0]?.contents ?? []);
        const [input] = one.inputs;
        if (input === undefined) throw new Error("no input");
        const joined = toInferRequest({ ...one, inputs: [{ ...input, contents: views }] });
        expect(joined.request.inputs).toMatchObject([{ data }]);
      }),
    );
  });

  it("are read element by element too, as an old writer sends them", () => {
    // int_contents 1, -1, 300 without packing.
    const contents = Uint8Array.from([0x10, 1, 0x10, ...Array(9).fill(0xff), 1, 0x10, 0xac, 2]);
    const input = { name: "x", datatype: "INT16", shape: [3], parameters: undefined, contents: [contents] };
    const message = {
      modelName: "m",
      modelVersion: "",
      id: "",
      parameters: undefined,
      inputs: [input],
      outputs: [],
      raw: [],
    };
    const bytes = Buffer.from([1, 0, 0xff, 0xff, 0x2c, 1]);
    expect(toInferRequest(message).request.inputs).toMatchObject([{ data: { bytes } }]);
  });

  it("take any number but 0 for true", () => {
    const contents = Uint8Array.from([0x0a, 4, 0, 1, 0x80, 2]);
    const input = { name: "x", datatype: "BOOL", shape: [3], parameters: undefined, contents: [contents] };
    const message = {
      modelName: "m",
      modelVersion: "",
      id: "",
      parameters: undefined,
      inputs: [input],
      outputs: [],
      raw: [],
    };
    expect(toInferRequest(message).request.inputs).toMatchObject([{ data: { bytes: Buffer.from([0, 1, 1]) } }]);
  });

  it("give the event loop its turns when they are large", async () => {
    const contents = { int64Contents: Array.from({ length: 300_000 }, (_, index) => BigInt(index)) };
    const bytes = toBinary(
      ModelInferRequestSchema,
      create(ModelInferRequestSchema, { inputs: [{ name: "x", datatype: "INT64", shape: [300_000n], contents }] }),
    );
    const message = decodeInferMessage(bytes);
    expect(hasLargeContents(message)).toBe(true);
    let pauses = 0;
    const { request } = await toInferRequestInSlices(message, async () => {
      pauses += 1;
    });
    expect(pauses).toBeGreaterThan(8);
    const [input] = request.inputs;
    expect(input?.data.kind === "bytes" && Buffer.from(input.data.bytes).readBigInt64LE(8 * 299_999)).toBe(299_999n);
  });
});

const EMPTY = new Uint8Array(0);
/** Texts compare faster than arrays. */
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** The response as the generated class reads it, brought to our shape. */
function generated(bytes: Uint8Array) {
  const { modelName, modelVersion, id, parameters, outputs, rawOutputContents } = fromBinary(
    ModelInferResponseSchema,
    bytes,
  );
  return {
    modelName,
    modelVersion,
    id,
    parameters: Object.entries(parameters).map(([key, { parameterChoice }]) => [key, parameterChoice.value]),
    outputs: outputs.map(({ name, datatype, shape }, index) => ({
      name,
      datatype,
      shape: shape.map(Number),
      bytes: base64(rawOutputContents[index] ?? EMPTY),
    })),
  };
}

const plain = ({ parameters, outputs, ...rest }: InferResponse) => ({
  ...rest,
  parameters: Object.entries(Object.fromEntries(parameters ?? [])),
  outputs: outputs.map((output) => ({ ...output, bytes: base64(output.bytes) })),
});

describe("responses", () => {
  it.each([400, 50_000])(
    "are written as the generated class and our own decoder read them, tensors up to %i bytes",
    (size) => {
      fc.assert(
        fc.property(responses(size), fc.option(fc.boolean(), { nil: undefined }), (response, final) => {
          const unary = encodeInferResponse(response);
          const message = unframe(unary);
          expect(generated(message)).toEqual(plain(response));
          expect(plain(decodeInferMessageResponse(message))).toEqual(plain(response));
          if (!unary.copied) {
            for (const { bytes } of response.outputs)
              if (bytes.length > 0) expect(unary.pieces.includes(bytes)).toBe(true);
          }

          const streamed = unframe(encodeStreamResponse(response, final));
          const { errorMessage, inferResponse } = fromBinary(ModelStreamInferResponseSchema, streamed);
          expect(errorMessage).toBe("");
          expect(inferResponse?.parameters["triton_final_response"]?.parameterChoice.value).toBe(
            final ?? response.parameters?.get("triton_final_response"),
          );
          const read = decodeStreamResponse(streamed);
          expect(plain(read.response).outputs).toEqual(plain(response).outputs);
        }),
        { numRuns: size > 1000 ? 30 : 100 },
      );
    },
  );

  it("of a stream that failed carry the text, the id, and what was asked for once it had begun", () => {
    const early = fromBinary(ModelStreamInferResponseSchema, unframe(encodeStreamFailure({ message: "no", id: "7" })));
    expect([early.errorMessage, early.inferResponse?.id, early.inferResponse?.modelName]).toEqual(["no", "7", ""]);
    const inference = { modelName: "m", modelVersion: "", final: true };
    const late = decodeStreamResponse(unframe(encodeStreamFailure({ message: "broke", id: "", inference })));
    expect(late.errorMessage).toBe("broke");
    expect(late.response).toMatchObject({ modelName: "m", modelVersion: "", id: "" });
    expect([...(late.response.parameters ?? [])]).toEqual([["triton_final_response", true]]);
  });
});

describe("encodeInferMessage()", () => {
  it("is what the decoder reads back", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.nat(40_000).map((length) => Buffer.alloc(length, length)),
          { maxLength: 4 },
        ),
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        (tensors, sequenceId) => {
          const request: InferRequest = {
            id: "id",
            modelParameters: new Map<string, string | bigint | boolean | number>([
              ["s", "text"],
              ["i", -5n],
              ["b", false],
              ["d", 0.5],
            ]),
            controls: { sequenceId, sequenceStart: true, sequenceEnd: false, priority: 3n, timeoutMicroseconds: 9n },
            binaryDataOutput: true,
            inputs: [
              ...tensors.map((bytes, index) => ({
                name: `t${index}`,
                datatype: "UINT8",
                shape: [bytes.length],
                data: { kind: "bytes" as const, bytes },
              })),
              { name: "s", datatype: "INT8", shape: [], data: { kind: "shm", region: "r", offset: 8, byteSize: 16 } },
            ],
            outputs: [
              { name: "o", binary: true, classification: 3 },
              { name: "p", binary: true, classification: 0, shm: { region: "q", offset: 0, byteSize: 4 } },
            ],
          };
          const target = { modelName: "m", modelVersion: "2", emptyFinalResponse: true };
          const message = decodeInferMessage(unframe(encodeInferMessage(request, target)));
          expect([message.modelName, message.modelVersion]).toEqual(["m", "2"]);
          const read = toInferRequest(message);
          expect(read.emptyFinalResponse).toBe(true);
          const bytesOf = ({ inputs }: InferRequest) =>
            inputs.map(({ data }) => (data.kind === "bytes" ? base64(data.bytes) : data));
          expect(bytesOf(read.request)).toEqual(bytesOf(request));
          const { inputs: _read, ...readRest } = read.request;
          const { inputs: _sent, ...sentRest } = request;
          expect(readRest).toEqual(sentRest);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("leaves out what was not asked for", () => {
    const request: InferRequest = {
      id: "",
      modelParameters: new Map(),
      controls: NO_CONTROLS,
      binaryDataOutput: true,
      inputs: [],
      outputs: [],
    };
    expect(unframe(encodeInferMessage(request, { modelName: "m", modelVersion: "" }))).toEqual(
      Buffer.from([0x0a, 1, 0x6d]),
    );
  });
});
