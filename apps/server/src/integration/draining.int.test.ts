import { afterAll, beforeAll, expect, it } from "vitest";
import { GrpcJsClient } from "../testing/grpc-js-client.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats } from "../testing/test-api.ts";
import { identity } from "../testing/test-model.ts";

let server: TestServer;
let grpc: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer({ models: [identity("quick")] });
  grpc = new GrpcJsClient(server.grpcAddress);
});
afterAll(async () => {
  grpc.client.close();
  await server.dispose();
});

const drain = (body: unknown) =>
  server.api.call("/nereid/v1/server/draining", { method: "PUT", body: JSON.stringify(body) });

it("a drained server is live and answers, is not ready by HTTP and gRPC, says so, and comes back", async () => {
  const { api } = server;
  const ready = async () => [
    (await api.call("/v2/health/ready")).status,
    (await grpc.call("serverReady", {})).ready,
    JSON.parse((await api.call("/nereid/v1/server")).body.toString()).draining,
  ];
  expect(await ready()).toEqual([200, true, false]);
  expect((await drain({ draining: true })).status).toBe(200);
  expect(await ready()).toEqual([400, false, true]);
  expect((await api.call("/v2/health/live")).status).toBe(200);
  expect((await api.call("/v2/models/quick/ready")).status).toBe(200);
  expect((await api.infer("quick", floats("INPUT_FP32", [[1]]))).status).toBe(200);
  expect((await drain({ draining: false })).status).toBe(200);
  expect(await ready()).toEqual([200, true, false]);
});

it("anything but true and false is refused", async () => {
  const answer = await drain({ draining: "yes" });
  expect([answer.status, errorOf(answer)]).toEqual([400, "'draining' must be true or false"]);
});
