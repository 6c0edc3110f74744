/** Attacks inside the protocol: JSON, shapes, sizes, names, parameters. Every one is followed by an honest request. */
import { identityModel } from "@nereid/model-authoring";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse, type Reply } from "../testing/test-api.ts";
import { identity, type TestModel } from "../testing/test-model.ts";

const model = (name: string, types: Parameters<typeof identityModel>[0]): TestModel => ({
  name,
  files: { "config.pbtxt": 'backend: "onnxruntime"\nmax_batch_size: 8\n', "1/model.onnx": identityModel(types) },
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      identity("m"),
      model("text", [["STRING", "BYTES"]]),
      model("half", [["FLOAT16", "FP16"]]),
      model("double", [["DOUBLE", "FP64"]]),
      model("two", [
        ["FLOAT", "FP32"],
        ["INT32", "INT32"],
      ]),
    ],
  });
});
afterAll(() => server.dispose());
afterEach(async () => {
  expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[1.5, 2]])))).toEqual([1.5, 2]);
});

const post = (name: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  server.api.post(`/v2/models/${name}/infer`, body, headers === undefined ? {} : { headers });

/** A request with one binary input; `changes` replace members of the input or of the request. */
function binary(
  name: string,
  tensor: {
    readonly input: string;
    readonly datatype: string;
    readonly shape: readonly unknown[];
    readonly bytes: Uint8Array;
  },
  rest: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const { input, datatype, shape, bytes } = tensor;
  const json = JSON.stringify({
    inputs: [{ name: input, datatype, shape, parameters: { binary_data_size: bytes.byteLength } }],
    parameters: { binary_data_output: true },
    ...rest,
  });
  return post(name, Buffer.concat([Buffer.from(json), bytes]), {
    "inference-header-content-length": String(json.length),
  });
}

const blobOf = (reply: Reply) => {
  if (reply.status !== 200) throw new Error(reply.text);
  return Uint8Array.from(reply.body.subarray(Number(reply.headers["inference-header-content-length"])));
};
const fp32 = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const good = '"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":[1,1],"data":[7]}]';

describe("JSON", () => {
  const nested = (depth: number) =>
    `{"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":[1,1],"data":${"[".repeat(depth)}7${"]".repeat(depth)}}]}`;

  it("is read 100 deep and no deeper, wherever the depth is", async () => {
    expect(numbersOf(await post("m", nested(90)))).toEqual([7]);
    const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const body of [
      nested(101),
      nested(1_000_000),
      `{"x":${deep(101)},${good}}`,
      `{${good},"x":${'{"a":'.repeat(101)}1${"}".repeat(101)}}`,
      deep(500_000),
    ]) {
      const reply = await post("m", body);
      expect([reply.status, errorOf(reply)]).toEqual([400, "JSON nesting depth exceeds maximum allowed limit (100)"]);
    }
    expect(numbersOf(await post("m", `{"x":${deep(99)},${good}}`))).toEqual([7]);
  });

  it.each([
    ["a list of a million inputs", `{"inputs":[${"{},".repeat(1_000_000)}{}]}`],
    ["a million members", `{${'"a":1,'.repeat(1_000_000)}${good}}`],
    ["a million outputs", `{${good},"outputs":[${"{},".repeat(1_000_000)}{}]}`],
    [
      "a shape of a million dimensions",
      `{"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":[${"1,".repeat(1_000_000)}1],"data":[1]}]}`,
    ],
  ])("with %s is refused", async (_, body) => {
    const reply = await post("m", body);
    expect([400, 500]).toContain(reply.status);
  });

  it("beside a shape that asks for less: 20 MB of numbers are refused, and others are served meanwhile", async () => {
    const body = `{"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":[1,1],"data":[${"1,".repeat(10_000_000)}1]}]}`;
    const large = post("m", body);
    expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[3]])))).toEqual([3]);
    const reply = await large;
    expect([reply.status, errorOf(reply)]).toEqual([
      500,
      "Unable to parse 'data': Shape does not match true shape of 'data' field",
    ]);
  });

  it("takes the first of duplicate members", async () => {
    const second = good.replace("[7]", "[8]");
    expect(numbersOf(await post("m", `{${good},${second}}`))).toEqual([7]);
    expect(parse<{ id: string }>(await post("m", `{"id":"a","id":"b",${good}}`)).id).toBe("a");
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "with a member called %s is read",
    async (name) => {
      const body = `{"${name}":{"polluted":1},${good.replace("}]", `,"${name}":{"a":1}}]`)},"parameters":{"${name}":"x"}}`;
      expect(numbersOf(await post("m", body))).toEqual([7]);
      const generate = await server.api.post("/v2/models/m/generate", `{"${name}":"x","INPUT_FP32":7}`);
      expect(parse<{ OUTPUT_FP32: number }>(generate).OUTPUT_FP32).toBe(7);
    },
  );

  it.each([
    ["a lone surrogate", '{"id":"\\ud800",'],
    ["surrogates the wrong way round", '{"id":"\\udc00\\ud800",'],
    ["an overlong encoding", Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xc0, 0xaf, 0x22, 0x2c])],
    ["an encoded surrogate", Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x2c])],
    ["a raw control character", '{"id":"a\x01",'],
    ["a byte order mark", "\ufeff{"],
    ["a comment", "{/* */"],
    ["single quotes", "{'id':'a',"],
  ])("with %s is a parse error", async (_, start) => {
    const reply = await post("m", Buffer.concat([Buffer.from(start), Buffer.from(`${good}}`)]));
    expect(reply.status).toBe(500);
    expect(errorOf(reply)).toMatch(/^failed to parse the request JSON buffer/);
  });
});

describe("a shape", () => {
  it.each([
    [[2 ** 32, 2 ** 32], 400],
    ["[9223372036854775807,2]", 400],
    ["[18446744073709551615]", 400],
    ["[18446744073709551616]", 500],
    [[-1, 1], 500],
    [[1, -5], 500],
    [[1.5, 1], 500],
    ["[1e2,1]", 500],
    [["1", 1], 500],
    [[null], 500],
    [{}, 500],
    [7, 500],
    [new Array<number>(1000).fill(1), 400],
    [[0, 0], 400],
    [[1, 1, 1], 400],
    [[], 400],
    [[2 ** 53, 1], 400],
    ["[9007199254740993,1]", 400],
  ])("of %j is refused", async (shape, status) => {
    const text = typeof shape === "string" ? shape : JSON.stringify(shape);
    for (const source of ['"data":[1]', '"parameters":{"binary_data_size":0}']) {
      const body = `{"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":${text},${source}}]}`;
      const reply = await post("m", body);
      // Fewer elements than the shape asks for is Triton's 500; an empty tensor of any shape is no error.
      const expected =
        source.startsWith('"data"') && /^\[(?:1,1,1|1(?:,1)*)\]$/.test(text) ? [400, 500] : [status, 400];
      if (text === "[0,0]") expect([200, 400, 500]).toContain(reply.status);
      else expect(expected).toContain(reply.status);
    }
  });

  it.each([
    [[1, 4], 12],
    [[1, 4], 20],
    [[1, 4], 0],
    [[2, 2], 15],
    [[1, 1], 1],
  ])("%j of FP32 with %d bytes is refused", async (shape, size) => {
    const reply = await binary("m", { input: "INPUT_FP32", datatype: "FP32", shape, bytes: new Uint8Array(size) });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("input byte size mismatch for input 'INPUT_FP32' for model 'm'. Expected");
  });

  it("and the size that the client announces do not have to agree with what it sends", async () => {
    const json = (size: unknown) =>
      JSON.stringify({
        inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [1, 1], parameters: { binary_data_size: size } }],
      });
    for (const [size, status, text] of [
      [8, 400, "unexpected size for input 'INPUT_FP32', expecting 4 additional bytes for model 'm'"],
      [2, 400, "unexpected additional input data for model 'm'"],
      [2 ** 53, 400, "unexpected size for input 'INPUT_FP32'"],
      [-4, 500, "Unable to parse 'binary_data_size'"],
      ["4", 500, "Unable to parse 'binary_data_size'"],
    ] as const) {
      const head = json(size);
      const reply = await post("m", Buffer.concat([Buffer.from(head), new Uint8Array(4)]), {
        "inference-header-content-length": String(head.length),
      });
      expect(reply.status).toBe(status);
      expect(errorOf(reply).startsWith(text)).toBe(true);
    }
  });
});

describe("BYTES", () => {
  const send = (shape: readonly number[], bytes: Uint8Array) =>
    binary("text", { input: "INPUT_BYTES", datatype: "BYTES", shape, bytes });
  const element = (length: number, content: string) => {
    const bytes = Buffer.alloc(4 + content.length, content, "latin1");
    bytes.writeUInt32LE(length);
    bytes.write(content, 4, "latin1");
    return bytes;
  };

  it.each([
    ["a length beyond the end", [1, 1], element(100, "abc"), "incomplete string data"],
    ["the largest length", [1, 1], element(2 ** 32 - 1, "abc"), "incomplete string data"],
    ["half a length", [1, 1], Buffer.from([1, 0]), "incomplete string length indicator"],
    ["too few elements", [1, 3], Buffer.concat([element(1, "a"), element(1, "b")]), "expected 3 string elements"],
    [
      "too many elements",
      [1, 1],
      Buffer.concat([element(1, "a"), element(1, "b")]),
      "unexpected number of string elements 2",
    ],
    [
      "bytes behind the last",
      [1, 1],
      Buffer.concat([element(1, "a"), Buffer.from([0])]),
      "unexpected number of string elements",
    ],
    ["no bytes", [1, 1], Buffer.alloc(0), "expected 1 string elements"],
  ])("with %s are refused", async (_, shape, bytes, text) => {
    const reply = await send(shape, bytes);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain(text);
  });

  it("of a million empty strings are passed or refused, and the server lives", async () => {
    const reply = await send([1, 1_000_000], new Uint8Array(4_000_000));
    expect([200, 400, 503]).toContain(reply.status);
  });
});

describe("inputs and outputs", () => {
  const input = (changes: Readonly<Record<string, unknown>> = {}) => ({
    name: "INPUT_FP32",
    datatype: "FP32",
    shape: [1, 1],
    data: [7],
    ...changes,
  });

  it.each([
    ["no inputs", { inputs: [] }, "expected 1 inputs but got 0 inputs for model 'm'"],
    [
      "an input too many",
      { inputs: [input(), input({ name: "MORE" })] },
      "expected 1 inputs but got 2 inputs for model 'm'. Got input(s) ['INPUT_FP32','MORE']",
    ],
    ["an unknown input", { inputs: [input({ name: "WRONG" })] }, "input"],
    ["an input twice", { inputs: [input(), input()] }, "input 'INPUT_FP32' already exists in request"],
    [
      "an unknown output",
      { inputs: [input()], outputs: [{ name: "WRONG" }] },
      "unexpected inference output 'WRONG' for model 'm'",
    ],
    [
      "an output twice",
      { inputs: [input()], outputs: [{ name: "OUTPUT_FP32" }, { name: "OUTPUT_FP32" }] },
      "output 'OUTPUT_FP32' already exists in request",
    ],
    ["an unknown datatype", { inputs: [input({ datatype: "FP33" })] }, "data-type is"],
    ["a datatype in another case", { inputs: [input({ datatype: "fp32" })] }, "data-type is"],
    [
      "another datatype",
      { inputs: [input({ datatype: "INT64" })] },
      "inference input 'INPUT_FP32' data-type is 'INT64', but model 'm' expects 'FP32'",
    ],
    [
      "a batch that is too large",
      { inputs: [input({ shape: [65, 1], data: new Array(65).fill(1) })] },
      "inference request batch-size must be <= 64 for 'm'",
    ],
    ["no shape", { inputs: [input({ shape: [], data: [] })] }, "has no shape but model requires batch dimension"],
    ["no data", { inputs: [input({ data: undefined })] }, "But no field is set"],
  ])("%s are answered 400", async (_, body, text) => {
    const reply = await post("m", body);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain(text);
  });

  it("of different batch sizes are answered 400", async () => {
    const reply = await post("two", {
      inputs: [
        input({ shape: [2, 1], data: [1, 2] }),
        { name: "INPUT_INT32", datatype: "INT32", shape: [3, 1], data: [1, 2, 3] },
      ],
    });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatch(/input 'INPUT_\w+' batch size does not match other inputs for 'two'/);
  });

  it("of batch 0 are answered, not crashed on", async () => {
    const reply = await post("m", { inputs: [input({ shape: [0, 1], data: [] })] });
    expect([200, 400]).toContain(reply.status);
  });

  it.each([
    [{ inputs: 7 }],
    [{ inputs: [7] }],
    [{ inputs: [{}] }],
    [{ inputs: [{ name: 7 }] }],
    [{}],
    [[]],
    ["null"],
    ["7"],
    ['"text"'],
    [{ inputs: [input()], outputs: {} }],
    [{ inputs: [input()], outputs: [{}] }],
    [{ inputs: [input()], parameters: [] }],
    [{ inputs: [input()], id: 7 }],
  ])("of the wrong JSON type (%j) are Triton's 500", async (body) => {
    const reply = await post("m", body);
    expect(reply.status).toBe(500);
    expect(errorOf(reply)).toMatch(/^Unable to parse '/);
  });
});

describe("classification", () => {
  const classes = (k: unknown, name = "m") =>
    post(name, {
      inputs:
        name === "m"
          ? floats("INPUT_FP32", [[3, 9, Number.MAX_VALUE / 2 ** 971]])
          : [{ name: "INPUT_BYTES", datatype: "BYTES", shape: [1, 1], data: ["a"] }],
      outputs: [{ name: name === "m" ? "OUTPUT_FP32" : "OUTPUT_BYTES", parameters: { classification: k } }],
    });

  it("of 0 is the plain tensor, of more than there are all of them", async () => {
    expect(parse<{ outputs: { datatype: string }[] }>(await classes(0)).outputs[0]?.datatype).toBe("FP32");
    for (const k of [3, 4, 1_000_000, Number.MAX_SAFE_INTEGER])
      expect(parse<{ outputs: unknown[] }>(await classes(k)).outputs[0]).toMatchObject({
        datatype: "BYTES",
        shape: [1, 3],
      });
    const huge = await post(
      "m",
      `{${good},"outputs":[{"name":"OUTPUT_FP32","parameters":{"classification":18446744073709551615}}]}`,
    );
    expect(parse<{ outputs: unknown[] }>(huge).outputs[0]).toMatchObject({ shape: [1, 1] });
  });

  it.each([-1, 1.5, "3", true, null, [1]])("of %j is refused", async (k) => {
    const reply = await classes(k);
    expect([400, 500]).toContain(reply.status);
  });

  it("of text is refused", async () => {
    const reply = await classes(1, "text");
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      "class result not available for output due to unsupported type 'BYTES'",
    ]);
  });
});

describe("values travel as they are", () => {
  const special = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
    0,
    1e-45,
    1.17549435e-38,
    3.4028235e38,
    0.1,
  ];

  it("FP32 in binary, bit by bit, payloads of NaN too", async () => {
    const bits = Uint32Array.from([
      0x7fc00001, 0xffc00000, 0x7f800001, 0x80000000, 0x00000001, 0x007fffff, 0x7f7fffff, 0x3dcccccd,
    ]);
    const bytes = new Uint8Array(bits.buffer);
    expect(blobOf(await binary("m", { input: "INPUT_FP32", datatype: "FP32", shape: [1, 8], bytes }))).toEqual(bytes);
    const values = fp32(special);
    expect(
      blobOf(await binary("m", { input: "INPUT_FP32", datatype: "FP32", shape: [1, special.length], bytes: values })),
    ).toEqual(values);
  });

  it("FP32 in JSON, there and back", async () => {
    const reply = await binary(
      "m",
      { input: "INPUT_FP32", datatype: "FP32", shape: [1, special.length], bytes: fp32(special) },
      { parameters: {} },
    );
    const text = /"data":\[([^\]]*)\]/.exec(reply.text)?.[1] ?? "";
    expect(text.split(",").slice(0, 5)).toEqual(["NaN", "Infinity", "-Infinity", "-0.0", "0.0"]);
    const again = await post(
      "m",
      `{"inputs":[{"name":"INPUT_FP32","datatype":"FP32","shape":[1,${special.length}],"data":[${text}]}],"parameters":{"binary_data_output":true}}`,
    );
    expect(blobOf(again)).toEqual(fp32(special));
  });

  it("every FP16", async () => {
    const bytes = new Uint8Array(Uint16Array.from({ length: 65_536 }, (_, at) => at).buffer);
    expect(blobOf(await binary("half", { input: "INPUT_FP16", datatype: "FP16", shape: [8, 8192], bytes }))).toEqual(
      bytes,
    );
  });

  it("FP64 in JSON with all digits", async () => {
    const values = [5e-324, 1.7976931348623157e308, 0.1 + 0.2, -0, 2 ** 53 + 2];
    const text = values.map((value) => (Object.is(value, -0) ? "-0.0" : String(value))).join(",");
    const reply = await post(
      "double",
      `{"inputs":[{"name":"INPUT_FP64","datatype":"FP64","shape":[1,5],"data":[${text}]}],"parameters":{"binary_data_output":true}}`,
    );
    expect(Array.from(new Float64Array(blobOf(reply).buffer))).toEqual(values);
    const large = await post(
      "double",
      '{"inputs":[{"name":"INPUT_FP64","datatype":"FP64","shape":[1,1],"data":[1e999]}]}',
    );
    expect(large.status).toBe(500);
  });
});

describe("a version", () => {
  it.each([
    ["0", 404, "Request for unknown model: 'm' version 0 is not found"],
    ["9223372036854775807", 404, "Request for unknown model: 'm' version 9223372036854775807 is not found"],
    ["9223372036854775808", 400, "failed to get model version from specified version string '9223372036854775808'"],
    ["9".repeat(5000), 400, "failed to get model version from specified version string '999"],
    ["-1", 404, "Not Found"],
    ["1.0", 404, "Not Found"],
    ["one", 404, "Not Found"],
  ])("%s is answered %d", async (version, status, text) => {
    for (const reply of [
      await server.api.call(`/v2/models/m/versions/${version}`),
      await server.api.infer(`m/versions/${version}`, floats("INPUT_FP32", [[1]])),
    ]) {
      expect(reply.status).toBe(status);
      expect(errorOf(reply).startsWith(text)).toBe(true);
    }
  });
});

describe("request parameters", () => {
  it.each([
    ["priority", -1, 500],
    ["priority", 1.5, 500],
    ["priority", "1", 500],
    ["priority", true, 500],
    ["timeout", -1, 500],
    ["timeout", "1000", 500],
    ["sequence_id", -1, 500],
    ["sequence_id", 1.5, 500],
    ["sequence_id", true, 500],
    ["sequence_start", 1, 500],
    ["sequence_end", "true", 500],
    ["binary_data_output", 1, 500],
    ["triton_anything", "x", 400],
    ["triton_", 1, 400],
    ["list", [1], 400],
    ["object", {}, 400],
    ["nothing", null, 400],
  ])("%s of %j is refused", async (key, value, status) => {
    const reply = await post("m", { inputs: floats("INPUT_FP32", [[7]]), parameters: { [key]: value } });
    expect(reply.status).toBe(status);
    expect(errorOf(reply)).toMatch(
      status === 500 ? new RegExp(`^Unable to parse '${key}'`) : /reserved for Triton usage|has invalid type/,
    );
  });

  it.each([
    ["18446744073709551615", 200],
    ["18446744073709551616", 500],
  ])("a priority and a sequence of %s are answered %d", async (number, status) => {
    for (const key of ["priority", "sequence_id"]) {
      const reply = await post("m", `{${good},"parameters":{"${key}":${number}}}`);
      expect([key, reply.status]).toEqual([key, status]);
    }
  });

  it("of any other name and scalar type are let through", async () => {
    const reply = await post(
      "m",
      `{${good},"parameters":{"a":"x","b":1,"c":1.5,"d":true,"e":9223372036854775807,"headers":"y"}}`,
    );
    expect(numbersOf(reply)).toEqual([7]);
  });
});
