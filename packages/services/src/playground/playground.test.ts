import { describe, expect, it } from "vitest";
import { parsePassing } from "../parse-input.ts";
import { callInputs, generateBodyOf, outputsOfGenerate } from "./generate-body.ts";
import { parseClass, readOutputs } from "./read-output.ts";
import { whyNoPhases } from "./send-once.ts";
import { readServerTiming } from "./server-timing.ts";
import { bytesOfInputs, checkInputSize, MOST_INPUT_BYTES, tryInput } from "./try-input.ts";
import { isDecoupled, signatureWords } from "./try-way.ts";

const base64 = (array: ArrayBufferView<ArrayBuffer>) => Buffer.from(array.buffer).toString("base64");
const answerOf = (datatype: string, bytes: Uint8Array) => ({
  modelName: "m",
  modelVersion: "1",
  id: "",
  outputs: [{ name: "y", datatype, shape: [2], bytes }],
});
const text = (word: string) => {
  const bytes = Buffer.alloc(4 + Buffer.byteLength(word));
  bytes.writeUInt32LE(Buffer.byteLength(word));
  bytes.write(word, 4);
  return bytes;
};

describe("the phases of the server", () => {
  it("are read from its header, and are all there or none", () => {
    const header = "receive;dur=0.1, decode;dur=0.2, queue;dur=3, input;dur=0.4, infer;dur=5.5, output;dur=0";
    expect(readServerTiming(header)).toEqual({
      receive: 0.1,
      decode: 0.2,
      queue: 3,
      input: 0.4,
      infer: 5.5,
      output: 0,
    });
    expect(readServerTiming("queue;dur=3")).toBeNull();
    expect(readServerTiming(header.replace("dur=3", "desc=none"))).toBeNull();
    expect(readServerTiming(null)).toBeNull();
  });

  it("are missing for a reason", () => {
    expect(whyNoPhases({ kind: "triton", grpc: undefined })).toContain("Triton");
    expect(whyNoPhases({ kind: "nereid", grpc: undefined })).toContain("told no phases");
  });
});

describe("outputs", () => {
  it("are shown with every digit, and by what they are", () => {
    const long = new BigInt64Array([9007199254740993n, 5n]);
    expect(readOutputs(answerOf("INT64", new Uint8Array(long.buffer)))[0]?.values).toEqual(["9007199254740993", 5]);
    const floats = new Float32Array([0.1, Number.NaN]);
    expect(readOutputs(answerOf("FP32", new Uint8Array(floats.buffer)))[0]?.values).toEqual([0.100000001, "NaN"]);
    expect(readOutputs(answerOf("BOOL", Uint8Array.of(1, 0)))[0]?.values).toEqual([true, false]);
    const bad = Buffer.from([2, 0, 0, 0, 0xff, 0xfe]);
    expect(readOutputs(answerOf("BYTES", Buffer.concat([text("ä"), bad])))[0]?.values).toEqual(["ä", "0xfffe"]);
  });

  it("are cut at a thousand values, and say how many there are", () => {
    const [output] = readOutputs(answerOf("UINT8", new Uint8Array(1_500)));
    expect([output?.values.length, output?.count, output?.bytes]).toEqual([1_000, 1_500, 1_500]);
  });

  it("are read as classes where these were asked for", () => {
    const bytes = Buffer.concat([text("0.5:3:a:b"), text("0.25:1")]);
    expect(readOutputs(answerOf("BYTES", bytes), new Set(["y"]))[0]?.classes).toEqual([
      { value: 0.5, index: 3, label: "a:b" },
      { value: 0.25, index: 1, label: null },
    ]);
    expect(readOutputs(answerOf("BYTES", bytes))[0]?.classes).toBeNull();
    expect(parseClass("no class")).toEqual([]);
  });
});

describe("requests", () => {
  const number = { name: "x", datatype: "INT32", shape: [2], base64: base64(new Int32Array([7, -8])) } as const;
  const word = { name: "w", datatype: "BYTES", shape: [1], text: ["hi"] } as const;

  it("go as bytes, or by name to models that answer more than once", () => {
    const inputs = [
      { ...number, shape: [2] },
      { ...word, shape: [1], text: ["hi"] },
    ];
    expect(callInputs(inputs).map(({ data }) => data)).toEqual([Buffer.from(new Int32Array([7, -8]).buffer), ["hi"]]);
    expect(generateBodyOf({ inputs, parameters: { max: 3 } })).toEqual({ max: 3, x: [7, -8], w: "hi" });
    const half = { ...number, datatype: "FP16" as const, shape: [4] };
    expect(() => generateBodyOf({ inputs: [half], parameters: {} })).toThrow("FP16 cannot be sent");
    const answer = { model_name: "m", model_version: "1", y: [1, null], other: 2 };
    expect(outputsOfGenerate(answer, new Map([["y", "FP32"]]))).toMatchObject([
      { name: "y", count: 2, values: [1, "null"] },
    ]);
  });

  it("have a size, with a limit", () => {
    expect(bytesOfInputs([{ ...word, shape: [1], text: ["hi"] }])).toBe(6);
    const large = { ...number, shape: [1], base64: "A".repeat(Math.ceil(((MOST_INPUT_BYTES + 3) * 4) / 3)) };
    expect(() => checkInputSize([large])).toThrow(expect.objectContaining({ code: "PAYLOAD_TOO_LARGE" }));
  });
});

describe("mistakes that once answered INTERNAL", () => {
  const word = { name: "w", datatype: "BYTES", shape: [1], text: ["hi"] };
  const refused = (more: object, field: string) =>
    expect(() => parsePassing(tryInput, { model: "m", inputs: [word], ...more })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(field) }),
    );

  it.each([
    ["timeout", -5],
    ["timeout", 1.5],
    ["timeout", "5"],
    ["priority", -1],
    ["priority", 2 ** 53],
    ["sequence_id", -1],
    ["sequence_id", ""],
    ["sequence_start", 1],
    ["binary_data_output", "no"],
    ["mine", "\ud800"],
    ["\udfff", 1],
  ])("parameter %s = %s is refused by its name", (key, value) =>
    refused({ parameters: { [key]: value } }, "parameters."),
  );

  it("half of a surrogate pair is refused where it stands", () => {
    refused({ inputs: [word, { ...word, text: ["ok", "a\ud800"], shape: [2] }] }, "inputs.1.text.1: has half");
    refused({ inputs: [{ ...word, name: "\udc00" }] }, "inputs.0.name: has half");
    expect(parsePassing(tryInput, { model: "m", inputs: [{ ...word, text: ["\u{1f600}"] }] }).inputs).toHaveLength(1);
  });

  it("what the protocol and models take passes", () => {
    const parameters = { timeout: 5, sequence_id: "a", sequence_end: true, temperature: -0.5, constructor: -1 };
    expect(parsePassing(tryInput, { model: "m", inputs: [word], parameters }).parameters).toEqual(parameters);
  });
});

it("what the configuration and the signature say", () => {
  expect(isDecoupled({ model_transaction_policy: { decoupled: true } })).toBe(true);
  expect(isDecoupled({ model_transaction_policy: {} })).toBe(false);
  expect(isDecoupled({})).toBe(false);
  expect(signatureWords([{ name: "x", datatype: "FP32", shape: [-1, 3] }], 8)).toBe(
    "x as FP32 [?, 3], the first size from 1 to 8",
  );
});
