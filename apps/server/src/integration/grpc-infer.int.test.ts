import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, GrpcJsClient } from "../testing/grpc-js-client.ts";
import { floatRequest, floatsOf, type InferInit, turnsRequest } from "../testing/grpc-requests.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, offset, slowEcho } from "../testing/test-model.ts";

let server: TestServer;
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      offset("plus", 1),
      identity("same"),
      slowEcho("echo", "dynamic_batching { }"),
      offset("many", 1, "model_transaction_policy { decoupled: true }"),
    ],
    args: ["--grpc-header-forward-pattern=^x-forward-|^priority$"],
  });
  client = new GrpcJsClient(server.grpcAddress);
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

const infer = (request: InferInit) => client.call("modelInfer", request);

describe("ModelInfer", () => {
  it("answers raw contents with one raw entry for each output, the version and the id", async () => {
    const answer = await infer(floatRequest("plus", [[1, 2, 3]], { id: "seven" }));
    expect([answer.modelName, answer.modelVersion, answer.id]).toEqual(["plus", "1", "seven"]);
    expect(answer.outputs.map(({ name, datatype, shape }) => [name, datatype, shape])).toEqual([
      ["ANSWER", "FP32", [1n, 3n]],
    ]);
    expect(answer.outputs[0]?.contents).toBeUndefined();
    expect(Object.keys(answer.parameters)).toEqual([]);
    expect(floatsOf(answer.rawOutputContents[0])).toEqual([2, 3, 4]);
  });

  it("takes typed contents", async () => {
    const answer = await infer({
      modelName: "plus",
      inputs: [{ name: "QUESTION", datatype: "FP32", shape: [2n, 1n], contents: { fp32Contents: [5, 6] } }],
    });
    expect(floatsOf(answer.rawOutputContents[0])).toEqual([6, 7]);
  });

  it("gives back tensors of every size unchanged, one after the other and side by side", async () => {
    const sizes = [0, 1, 4_000, 4_090, 8_192, 16_000, 16_384, 150_528, 1_000_000, 5_000_000];
    const ask = async (length: number) => {
      const values = Float32Array.from({ length }, (_, index) => index % 977);
      const answer = await infer({
        modelName: "same",
        inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [1n, BigInt(length)] }],
        rawInputContents: [new Uint8Array(values.buffer)],
      });
      expect(Buffer.compare(answer.rawOutputContents[0] ?? Buffer.of(1), Buffer.from(values.buffer))).toBe(0);
    };
    for (const size of sizes) await ask(size);
    await Promise.all(sizes.flatMap((size) => [ask(size), ask(size)]));
  });

  it("forwards the metadata that the pattern names, and refuses reserved names", async () => {
    const forwarded = client.call("modelInfer", floatRequest("plus", [[1]]), { metadata: { "x-forward-who": "ada" } });
    expect(floatsOf((await forwarded).rawOutputContents[0])).toEqual([2]);
    const reserved = client.call("modelInfer", floatRequest("plus", [[1]]), { metadata: { priority: "1" } });
    expect(await failureOf(reserved)).toEqual([
      status.INVALID_ARGUMENT,
      "Header 'priority' is reserved for Triton usage and cannot be forwarded.",
    ]);
  });

  const int64 = (value: bigint) => ({ parameterChoice: { case: "int64Param" as const, value } });
  const uint64 = (value: bigint) => ({ parameterChoice: { case: "uint64Param" as const, value } });
  const text = (value: string) => ({ parameterChoice: { case: "stringParam" as const, value } });
  const bool = (value: boolean) => ({ parameterChoice: { case: "boolParam" as const, value } });
  const double = (value: number) => ({ parameterChoice: { case: "doubleParam" as const, value } });
  const good = floatRequest("plus", [[1, 2]]);
  const input = good.inputs?.[0] ?? {};
  const withParameters = (parameters: NonNullable<InferInit["parameters"]>) => ({ ...good, parameters });
  const withInput = (more: object, raw = good.rawInputContents ?? []) => ({
    ...good,
    inputs: [{ ...input, ...more }],
    rawInputContents: raw,
  });

  it.each([
    withParameters({ sequence_id: int64(0n), sequence_start: bool(true), sequence_end: bool(false) }),
    withParameters({ sequence_id: text("") }),
    withParameters({ priority: int64(1n) }),
    withParameters({ priority: uint64(2n) }),
    withParameters({ timeout: int64(5_000_000n) }),
    withParameters({ triton_enable_empty_final_response: bool(true) }),
    withParameters({ binary_data_output: bool(false), own: double(0.5), a: text("b"), c: int64(-1n) }),
    { ...good, modelVersion: "1" },
    { ...good, modelVersion: "01" },
    { ...good, outputs: [{ name: "ANSWER" }] },
    { ...good, rawInputContents: [...(good.rawInputContents ?? []), new Uint8Array(3)] },
  ])("accepts request %#", async (request) => {
    expect(floatsOf((await infer(request)).rawOutputContents[0])).toEqual([2, 3]);
  });

  const { INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED } = status;
  const reserved =
    "parameter keys starting with 'triton_' are reserved for Triton usage. Only the following keys starting with 'triton_' are allowed: triton_enable_empty_final_response";
  const ANY = "[request id: <id_unknown>] ";
  const explicit = "unexpected explicit tensor data for input tensor 'QUESTION' for model 'plus'";
  const shm = "shared_memory";
  const CASES: readonly (readonly [what: string, request: InferInit, code: number, details: string])[] = [
    ["an unknown model", { modelName: "nobody" }, NOT_FOUND, "Request for unknown model: 'nobody' is not found"],
    ["no model name", {}, NOT_FOUND, "Request for unknown model: '' is not found"],
    [
      "an unknown version",
      { ...good, modelVersion: "9" },
      NOT_FOUND,
      "Request for unknown model: 'plus' version 9 is not found",
    ],
    [
      "a version below 0",
      { ...good, modelVersion: "-1" },
      INVALID_ARGUMENT,
      "invalid model version specified '-1' , version should be an integral value > 0",
    ],
    [
      "a version that is no number",
      { ...good, modelVersion: "one" },
      INVALID_ARGUMENT,
      "failed to get model version from specified version string 'one' (details: stoll), version should be an integral value > 0",
    ],
    [
      "a decoupled model",
      floatRequest("many", [[1]]),
      UNIMPLEMENTED,
      "ModelInfer RPC doesn't support models with decoupled transaction policy",
    ],
    [
      "a sequence id of the wrong type",
      withParameters({ sequence_id: bool(true) }),
      INVALID_ARGUMENT,
      "invalid value type for 'sequence_id' parameter, expected int64_param or string_param.",
    ],
    [
      "a sequence flag of the wrong type",
      withParameters({ sequence_start: int64(1n) }),
      INVALID_ARGUMENT,
      "invalid value type for 'sequence_start' parameter, expected bool_param.",
    ],
    [
      "the end of a sequence of the wrong type",
      withParameters({ sequence_end: text("true") }),
      INVALID_ARGUMENT,
      "invalid value type for 'sequence_end' parameter, expected bool_param.",
    ],
    [
      "a negative priority",
      withParameters({ priority: int64(-1n) }),
      INVALID_ARGUMENT,
      "invalid value for 'priority', expected value >= 0.",
    ],
    [
      "a priority of the wrong type",
      withParameters({ priority: text("1") }),
      INVALID_ARGUMENT,
      "invalid value type for 'priority' parameter, expected int64_param or uint64_param.",
    ],
    [
      "a timeout of the wrong type",
      withParameters({ timeout: uint64(1n) }),
      INVALID_ARGUMENT,
      "invalid value type for 'timeout' parameter, expected int64_param.",
    ],
    [
      "the empty final response of the wrong type",
      withParameters({ triton_enable_empty_final_response: int64(1n) }),
      INVALID_ARGUMENT,
      "invalid value type for 'triton_enable_empty_final_response' parameter, expected bool_param.",
    ],
    ["a reserved parameter", withParameters({ triton_x: bool(true) }), INVALID_ARGUMENT, reserved],
    [
      "an unsigned parameter",
      withParameters({ own: uint64(1n) }),
      INVALID_ARGUMENT,
      "invalid value type for 'own' parameter, expected int64_param, bool_param, or string_param.",
    ],
    [
      "a parameter without a value",
      withParameters({ own: {} }),
      INVALID_ARGUMENT,
      "invalid value type for 'own' parameter, expected int64_param, bool_param, or string_param.",
    ],
    [
      "an input without data",
      { ...good, rawInputContents: [] },
      INVALID_ARGUMENT,
      "unable to find data for input tensor 'QUESTION' for model 'plus' in request.",
    ],
    [
      "contents beside raw contents",
      withInput({ contents: { fp32Contents: [1, 2] } }),
      INVALID_ARGUMENT,
      "contents field must not be specified when using raw_input_contents for 'QUESTION' for model 'plus'",
    ],
    [
      "contents of another type",
      withInput({ contents: { intContents: [1, 2] } }, []),
      INVALID_ARGUMENT,
      `${explicit} of type 'INT32', expected datatype 'FP32'`,
    ],
    [
      "contents of an unknown datatype",
      withInput({ datatype: "FLOAT", contents: { fp32Contents: [1, 2] } }, []),
      INVALID_ARGUMENT,
      `${explicit} of type 'FP32', expected datatype '<invalid>'`,
    ],
    [
      "contents of two types",
      withInput({ contents: { fp32Contents: [1, 2], bytesContents: [new Uint8Array(1)] } }, []),
      INVALID_ARGUMENT,
      `${explicit}, binary data was already supplied.`,
    ],
    [
      "empty contents",
      withInput({ contents: {} }, []),
      INVALID_ARGUMENT,
      `${ANY}input byte size mismatch for input 'QUESTION' for model 'plus'. Expected 8, got 0`,
    ],
    [
      "contents beside shared memory",
      withInput(
        {
          contents: { fp32Contents: [1, 2] },
          parameters: { [`${shm}_region`]: text("r"), [`${shm}_byte_size`]: int64(8n) },
        },
        [],
      ),
      INVALID_ARGUMENT,
      "unexpected 'content' provided when using shared memory for input tensor 'QUESTION' for model 'plus'",
    ],
    [
      "a region of the wrong type",
      withInput({ parameters: { [`${shm}_region`]: int64(1n) } }),
      INVALID_ARGUMENT,
      "invalid value type for 'shared_memory_region' parameter for tensor 'QUESTION', expected string_param.",
    ],
    [
      "a region without a size",
      withInput({ parameters: { [`${shm}_region`]: text("r") } }),
      INVALID_ARGUMENT,
      "'shared_memory_byte_size' must be specified along with 'shared_memory_region' parameter for tensor 'QUESTION'",
    ],
    [
      "an offset without a region",
      withInput({ parameters: { [`${shm}_offset`]: int64(8n) } }),
      INVALID_ARGUMENT,
      "'shared_memory_offset' can not be specified without 'shared_memory_region' parameter for tensor 'QUESTION'",
    ],
    [
      "an unknown region",
      withInput({ parameters: { [`${shm}_region`]: text("r"), [`${shm}_byte_size`]: int64(8n) } }, []),
      NOT_FOUND,
      "Unable to find shared memory region: 'r'",
    ],
    [
      "a classification of the wrong type",
      { ...good, outputs: [{ name: "ANSWER", parameters: { classification: text("1") } }] },
      INVALID_ARGUMENT,
      "invalid value type for 'classification' parameter, expected int64_param",
    ],
    [
      "a classification of 0",
      { ...good, outputs: [{ name: "ANSWER", parameters: { classification: int64(0n) } }] },
      INVALID_ARGUMENT,
      "invalid value for 'classification' parameter, expected >= 0",
    ],
    [
      "a classification in shared memory",
      {
        ...good,
        outputs: [
          {
            name: "ANSWER",
            parameters: { classification: int64(1n), [`${shm}_region`]: text("r"), [`${shm}_byte_size`]: int64(8n) },
          },
        ],
      },
      INVALID_ARGUMENT,
      "output can't set both 'shared_memory_region' and 'classification'",
    ],
    [
      "a dimension of -1",
      withInput({ shape: [1n, -1n] }),
      INVALID_ARGUMENT,
      `${ANY}All input dimensions should be specified for input 'QUESTION' for model 'plus', got [1,-1]`,
    ],
    [
      "a shape of too many elements",
      withInput({ shape: [4294967296n, 4294967296n] }),
      INVALID_ARGUMENT,
      "invalid shape for input 'QUESTION': shape [4294967296,4294967296] causes total element count to exceed maximum size of 9223372036854775807",
    ],
    [
      "an input of another name",
      withInput({ name: "X" }),
      INVALID_ARGUMENT,
      "unexpected inference input 'X' for model 'plus'",
    ],
    [
      "an input of another datatype",
      { ...withInput({ datatype: "INT32" }), id: "q" },
      INVALID_ARGUMENT,
      "[request id: q] inference input 'QUESTION' data-type is 'INT32', but model 'plus' expects 'FP32'",
    ],
    [
      "an unknown output",
      { ...good, outputs: [{ name: "X" }] },
      INVALID_ARGUMENT,
      "unexpected inference output 'X' for model 'plus'",
    ],
    [
      "raw contents of another size",
      withInput({}, [new Uint8Array(7)]),
      INVALID_ARGUMENT,
      `${ANY}input byte size mismatch for input 'QUESTION' for model 'plus'. Expected 8, got 7`,
    ],
  ];

  it.each(CASES)("refuses %s", async (_what, request, code, details) => {
    expect(await failureOf(infer(request))).toEqual([code, details]);
  });

  it("batches requests of many clients and gives everybody his own", async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, number) => infer(turnsRequest("echo", number, { id: String(number) }))),
    );
    answers.forEach((answer, number) => {
      expect([answer.id, Buffer.from(answer.rawOutputContents[0] ?? []).readBigInt64LE(0)]).toEqual([
        String(number),
        BigInt(number),
      ]);
    });
  });

  it("a long error text is cut so that the status still arrives", async () => {
    const inputs = Array.from({ length: 1000 }, (_, index) => ({
      name: `input ä ${index}`,
      datatype: "FP32",
      shape: [1n, 1n],
    }));
    const rawInputContents = inputs.map(() => new Uint8Array(4));
    const [code, details] = await failureOf(infer({ modelName: "plus", inputs, rawInputContents }));
    expect(code).toBe(INVALID_ARGUMENT);
    expect(details).toMatch(/^\[request id: <id_unknown>\] expected 1 inputs but got 1000 inputs.*input ä 3.*\.\.\.$/);
  });
});
