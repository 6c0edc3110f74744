import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, slowEcho } from "../testing/test-model.ts";

const ELEMENTS = 1 << 20;
const large = tensor({ name: "INPUT_FP32", datatype: "FP32", shape: [1, ELEMENTS], data: new Float32Array(ELEMENTS) });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ models: [identity("echo"), slowEcho("slow", "")], args: ["--log-info=false"] });
});

afterAll(() => server?.dispose());

describe("the SDK over gRPC, at its limits", () => {
  it("sends much and receives much at once: the two ends do not wait for each other", async () => {
    const client = new GrpcClient({ address: server.grpcAddress });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const stream = client.inferStream();
    for (let index = 0; index < 20; index += 1) stream.send("echo", { id: String(index), inputs: [large] });
    stream.end();
    const ids: string[] = [];
    for await (const { response, error } of stream) ids.push(error?.message ?? response.id);
    await client.close();
    process.off("warning", onWarning);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    expect(warnings).toEqual([]);
  });

  it("closes for everyone who asks, behind the call in progress", async () => {
    const client = new GrpcClient({ address: server.grpcAddress });
    await client.serverLive();
    const input = tensor({ name: "TURNS", datatype: "INT64", shape: [1, 1], data: [2000n] });
    const call = client.infer("slow", { inputs: [input] });
    await Promise.all([client.close(), client.close(), call]);
    await client.close();
  });

  it("answers a call whose connection is still being made when the client is closed", async () => {
    const client = new GrpcClient({ address: server.grpcAddress });
    const live = client.serverLive();
    await client.close();
    expect(await live).toBe(true);
  });

  it("says that metadata or an address cannot be used, and never throws what is no NereidError", async () => {
    const client = new GrpcClient({ address: server.grpcAddress });
    for (const metadata of [{ "a b": "c" }, { ":path": "/" }, { x: "a\nb" }, { connection: "close" }]) {
      const call = client.infer("echo", { inputs: [large] }, { metadata });
      await expect(call).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await client.close();
    await expect(new GrpcClient({ address: "localhost:99999" }).serverLive()).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("neither takes a silent server for one that is not live nor waits for it when closing", async () => {
    const sockets: Socket[] = [];
    // Takes connections and does not read a byte.
    const silent = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const client = new GrpcClient({ address: `127.0.0.1:${(silent.address() as AddressInfo).port}`, timeoutMs: 100 });
    await expect(client.serverLive()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await client.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
