import { NereidClient } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";

const KEY = "a-management-key";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ args: [`--management-key=${KEY}`] });
});
afterAll(() => server?.dispose());

describe("trace and log settings of a server with a management key", () => {
  const clients = (apiKey: string | undefined) => {
    const key = apiKey === undefined ? {} : { apiKey };
    return [
      ["HTTP", new NereidClient({ baseUrl: server.api.url.origin, ...key })],
      ["gRPC", new GrpcClient({ address: server.grpcAddress, ...key })],
    ] as const;
  };

  it("are read by anybody and changed by nobody without it, over HTTP as over gRPC (it was open there)", async () => {
    for (const [, client] of clients(undefined)) {
      expect((await client.logSettings()).log_error).toBe(true);
      expect(await client.traceSettings()).toMatchObject({ trace_rate: "1000" });
      await expect(client.updateLogSettings({ log_error: false })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
      await expect(client.updateTraceSettings({ trace_rate: "1" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
      expect((await client.logSettings()).log_error).toBe(true);
    }
  });

  it("are changed with it", async () => {
    for (const [, client] of clients(KEY)) {
      expect(await client.updateTraceSettings({ trace_rate: "7" })).toMatchObject({ trace_rate: "7" });
      expect(await client.updateTraceSettings({ trace_rate: null })).toMatchObject({ trace_rate: "1000" });
    }
  });
});
