import { NereidClient, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity } from "../testing/test-model.ts";

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

beforeAll(async () => {
  server = await startTestServer({
    models: [identity("decoupled", "model_transaction_policy { decoupled: true }"), identity("plain")],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

const row = (value: number) => tensor({ name: "INPUT_FP32", datatype: "FP32", shape: [1, 1], data: [value] });

describe("a model that says it is decoupled", () => {
  it("is loaded without a warning", () => {
    expect(server.log.filter(({ msg, warnings }) => msg === "model loaded" && warnings !== 0)).toEqual([]);
  });

  it("is not asked where only one answer fits", async () => {
    await expect(http.infer("decoupled", { inputs: [row(1)] })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: "HTTP end point doesn't support models with decoupled transaction policy",
    });
    await expect(grpc.infer("decoupled", { inputs: [row(1)] })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: "ModelInfer RPC doesn't support models with decoupled transaction policy",
    });
  });

  it("answers on a stream, beside others, with the flag of the last answer", async () => {
    const stream = grpc.inferStream();
    await stream.send("plain", { id: "a", inputs: [row(1)] });
    await stream.send("decoupled", { id: "b", inputs: [row(2)] });
    await stream.send("decoupled", { id: "c", inputs: [row(3)] }, { emptyFinalResponse: true });
    stream.end();
    const seen = new Map<string, boolean | undefined>();
    for await (const { response, final } of stream) seen.set(response.id, final);
    expect([...seen].sort()).toEqual([
      ["a", true],
      ["b", true],
      ["c", true],
    ]);
  });

  it("answers generate and generate_stream", async () => {
    expect((await http.generate("decoupled", { INPUT_FP32: 4 }))["OUTPUT_FP32"]).toBe(4);
    for await (const { OUTPUT_FP32 } of http.generateStream("decoupled", { INPUT_FP32: 5 }))
      expect(OUTPUT_FP32).toBe(5);
  });
});
