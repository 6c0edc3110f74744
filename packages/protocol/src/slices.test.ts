import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeResponse } from "./encode-infer-response.ts";
import {
  type Datatype,
  decodeInferRequest,
  decodeInferRequestInSlices,
  decodeInferResponse,
  type EncodeResponseOptions,
  encodeInferResponse,
  encodeInferResponseInSlices,
  encodeTensorValues,
  hasLargeJson,
  type InferResponse,
  isLargeJson,
  MAX_JSON_RESPONSE_BYTES,
} from "./index.ts";
import { inOneGo } from "./slices.ts";

const AS_JSON: EncodeResponseOptions = { requested: [], binaryDataOutput: false };

class Pauses {
  count = 0;

  pause = (): Promise<void> => {
    this.count += 1;
    return Promise.resolve();
  };
}

/** The value, or the error's code and text. */
async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (thrown) {
    const error = NereidError.from(thrown);
    return [error.code, error.message];
  }
}

function bodyOf(datatype: string, count: number, data: string): Buffer {
  return Buffer.from(`{"inputs":[{"name":"i","datatype":"${datatype}","shape":[${count}],"data":${data}}]}`);
}

const options = { headerLength: undefined, modelName: "m", maxInputSize: 64 * 1024 * 1024 };

function response(datatype: Datatype, bytes: Uint8Array, shape: readonly number[] = [1]): InferResponse {
  return { modelName: "m", modelVersion: "1", id: "", outputs: [{ name: "o", datatype, shape, bytes }] };
}

describe("decodeInferRequestInSlices()", () => {
  const piece = fc.constantFrom(
    "1",
    "0.5",
    "[",
    "]",
    ",",
    '"a"',
    "true",
    "{",
    "}",
    ":",
    '"\\ud800"',
    "[1,2]",
    " ",
    "-",
  );

  it("gives what decodeInferRequest() gives, errors included", async () => {
    const datatype = fc.constantFrom("FP32", "INT64", "UINT8", "BOOL", "BYTES", "NONE");
    await fc.assert(
      fc.asyncProperty(datatype, fc.nat(4), fc.array(piece, { maxLength: 8 }), async (type, count, pieces) => {
        const body = bodyOf(type, count, `[${pieces.join("")}]`);
        const { pause } = new Pauses();
        expect(await outcome(() => decodeInferRequestInSlices(body, options, pause))).toEqual(
          await outcome(() => decodeInferRequest(body, options)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["FP32", "0.1"],
    ["INT32", "[7]"],
    ["INT64", "-9007199254740993"],
    ["BOOL", "true"],
    ["BYTES", '"a\\n"'],
    ["NONE", '{"x":[1]}'],
  ])("pauses in a long %s array", async (datatype, element) => {
    const count = 50_000;
    const body = bodyOf(datatype, count, `[${Array(count).fill(element).join(",")}]`);
    const pauses = new Pauses();
    const request = await decodeInferRequestInSlices(body, options, pauses.pause);
    expect(request).toEqual(decodeInferRequest(body, options));
    expect(pauses.count).toBeGreaterThanOrEqual(6);
  });

  it.each([
    ["wrong element", '[1,"x"]', 60_000],
    ["too few", "[1]", 60_002],
  ])("refuses %s behind many right ones", async (_, end, count) => {
    const body = bodyOf("FP32", count, `[${"1,".repeat(60_000)}${end}]`);
    const { pause } = new Pauses();
    const refused = await outcome(() => decodeInferRequestInSlices(body, options, pause));
    expect(refused).toEqual(await outcome(() => decodeInferRequest(body, options)));
    expect(refused).toHaveLength(2);
  });

  it("pauses in members nobody reads, in long lists of dimensions and in UTF-8 text", async () => {
    const ignored = `[${Array(50_000).fill('{"a":[]}').join(",")}]`;
    const shape = Array(16_000).fill("1").join(",");
    const input = `{"name":"i","datatype":"FP32","shape":[${shape}],"data":[1]}`;
    const body = Buffer.from(
      `{"x":${ignored},"y":"${"é😀".repeat(200_000)}","inputs":[${Array(4).fill(input).join(",")}]}`,
    );
    const pauses = new Pauses();
    const request = await decodeInferRequestInSlices(body, options, pauses.pause);
    expect(request).toEqual(decodeInferRequest(body, options));
    expect(pauses.count).toBeGreaterThan(18);
  });

  it("finds wrong UTF-8 in any slice", async () => {
    const { pause } = new Pauses();
    for (const at of [262_143, 262_144, 262_145, 400_000]) {
      const body = Buffer.from(`{"y":"${"é".repeat(300_000)}","inputs":[]}`);
      body[at] = 0xff;
      expect(await outcome(() => decodeInferRequestInSlices(body, options, pause))).toEqual([
        "INTERNAL",
        "failed to parse the request JSON buffer: Invalid encoding in string. at 0",
      ]);
    }
  });
});

describe("encodeInferResponseInSlices()", () => {
  const values = fc.array(fc.double(), { maxLength: 200 });
  const tensor = fc.oneof(
    values.map((list) => response("FP64", encodeTensorValues("FP64", list))),
    values.map((list) => response("FP32", encodeTensorValues("FP32", list))),
    fc
      .array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
      .map((list) => response("INT64", encodeTensorValues("INT64", list))),
    fc
      .array(fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array()))
      .map((list) => response("BYTES", encodeTensorValues("BYTES", list))),
    fc.uint8Array().map((bytes) => response("BYTES", bytes)),
    fc.uint8Array().map((bytes) => response("FP32", bytes)),
    fc.uint8Array().map((bytes) => response("FP16", bytes)),
  );

  it("gives what encodeInferResponse() gives, errors included", async () => {
    await fc.assert(
      fc.asyncProperty(tensor, async (given) => {
        const { pause } = new Pauses();
        expect(await outcome(() => encodeInferResponseInSlices(given, AS_JSON, pause))).toEqual(
          await outcome(() => encodeInferResponse(given, AS_JSON)),
        );
      }),
    );
  });

  it("big JSON blocked the event loop: it pauses at least every 20,000 elements", async () => {
    const count = 100_000;
    const floats = Float32Array.from({ length: count }, (_, index) => (index % 700 === 0 ? index : index / 3));
    const given = response("FP32", new Uint8Array(floats.buffer), [count]);
    const pauses = new Pauses();
    const message = await encodeInferResponseInSlices(given, AS_JSON, pauses.pause);
    expect(pauses.count).toBeGreaterThan(5);
    expect(message).toEqual(encodeInferResponse(given, AS_JSON));
    expect(decodeInferResponse(message.json, undefined).outputs[0]?.bytes).toEqual(new Uint8Array(floats.buffer));
  });

  it("writes a string longer than a piece as one", async () => {
    const text = `\ufeff${'é"\u0000😀'.repeat(40_000)}`;
    const given = response("BYTES", encodeTensorValues("BYTES", ["a", text]), [2]);
    const pauses = new Pauses();
    const { json } = await encodeInferResponseInSlices(given, AS_JSON, pauses.pause);
    expect(JSON.parse(json.toString()).outputs[0].data).toEqual(["a", text]);
    expect(pauses.count).toBeGreaterThan(4);
  });
});

describe("the limit of JSON answers", () => {
  it("refuses at once what must become longer", () => {
    const bytes = new Uint8Array(MAX_JSON_RESPONSE_BYTES / 2 + 10);
    expect(() => encodeInferResponse(response("UINT8", bytes, [bytes.length]), AS_JSON)).toThrow(
      "output 'o' makes the JSON of the response exceed the maximum of 268435456 bytes. Ask for it as binary data ('binary_data: true' in the parameters of the output).",
    );
  });

  it.each([
    ["FP32", encodeTensorValues("FP32", Array(20_000).fill(0.1))],
    ["BYTES", encodeTensorValues("BYTES", ["\u0000".repeat(30_000)])],
  ] as const)("refuses %s that turns out longer", async (datatype, bytes) => {
    const [code] = (await outcome(() =>
      inOneGo(encodeResponse(response(datatype, bytes), AS_JSON, 100_000)),
    )) as string[];
    expect(code).toBe("INVALID_ARGUMENT");
  });
});

describe("large JSON", () => {
  it("is told by bytes and by elements", () => {
    expect([isLargeJson(262_144), isLargeJson(262_145)]).toEqual([false, true]);
    const large = response("FP32", new Uint8Array(4 * 65_537));
    expect(hasLargeJson(large, AS_JSON)).toBe(true);
    expect(hasLargeJson(response("FP32", new Uint8Array(4 * 65_536)), AS_JSON)).toBe(false);
    expect(hasLargeJson(response("BYTES", new Uint8Array(4 * 65_537)), AS_JSON)).toBe(true);
    expect(hasLargeJson(large, { requested: [], binaryDataOutput: true })).toBe(false);
    expect(
      hasLargeJson(large, { requested: [{ name: "o", binary: true, classification: 0 }], binaryDataOutput: false }),
    ).toBe(false);
  });
});
