import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { NereidClient, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let client: GrpcClient;

beforeAll(async () => {
  server = await startTestServer({
    models: [identity("echo"), slowEcho("slow", "")],
    args: ["--allow-client-shm=true", "--log-info=false"],
  });
  client = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await client?.close();
  await server?.dispose();
});

const row = (...values: number[]) =>
  tensor({ name: "INPUT_FP32", datatype: "FP32", shape: [1, values.length], data: values });
const turns = (count: number) => tensor({ name: "TURNS", datatype: "INT64", shape: [1, 1], data: [BigInt(count)] });

/** Stops the runner of the slow model with a request in it, so that what comes next waits for as long as the test wants. */
async function occupy() {
  const pid = await server.api.runnerPid("slow");
  process.kill(pid, "SIGSTOP");
  const held = client.infer("slow", { inputs: [turns(1)] });
  const version = async () => (await server.api.model("slow")).versions[0];
  await waitUntil("the request executes", async () => (await version())?.instances[0]?.busy);
  return { held, pending: async () => (await version())?.pending, free: () => process.kill(pid, "SIGCONT") };
}

describe("the SDK over gRPC", () => {
  it("asks what the server and a model are", async () => {
    expect(await client.serverLive()).toBe(true);
    expect(await client.serverReady()).toBe(true);
    expect(await client.modelReady("echo")).toBe(true);
    expect(await client.modelReady("nobody")).toBe(false);
    expect((await client.serverMetadata()).extensions).toContain("statistics");
    expect(await client.modelMetadata("echo")).toMatchObject({
      name: "echo",
      versions: ["1"],
      inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [-1, -1] }],
    });
    expect(await client.modelConfig("echo")).toMatchObject({ name: "echo", max_batch_size: 64 });
  });

  it("gives statistics as HTTP does: numbers, every field", async () => {
    await client.infer("echo", { inputs: [row(1)] });
    const { model_stats } = await client.statistics("echo");
    expect(model_stats[0]).toMatchObject({ name: "echo", version: "1", response_stats: {} });
    expect(model_stats[0]?.inference_stats.success.count).toBeGreaterThan(0);
    expect(model_stats[0]?.inference_stats.cache_hit).toEqual({ count: 0, ns: 0 });
  });

  it("loads, lists and unloads", async () => {
    await client.unloadModel("echo");
    expect((await client.repositoryIndex({ ready: true })).map(({ name }) => name)).toEqual(["slow"]);
    await client.loadModel("echo");
    expect(await client.repositoryIndex()).toContainEqual({ name: "echo", version: "1", state: "READY" });
    await expect(client.loadModel("nobody")).rejects.toMatchObject({
      code: "INTERNAL",
      message: expect.stringContaining("failed to load 'nobody', failed to poll from model repository"),
    });
  });

  it("reads and changes settings", async () => {
    expect(await client.traceSettings()).toMatchObject({ trace_rate: "1000", trace_level: ["OFF"] });
    expect(await client.updateTraceSettings({ trace_rate: "7" })).toMatchObject({ trace_rate: "7" });
    expect(await client.updateTraceSettings({ trace_rate: null })).toMatchObject({ trace_rate: "1000" });
    expect(await client.updateLogSettings({ log_verbose_level: 1 })).toMatchObject({ log_verbose_level: 1 });
    expect(await client.updateLogSettings({ log_verbose_level: 0, log_info: false })).toMatchObject({
      log_verbose_level: 0,
      log_format: "default",
    });
  });

  it("is told that there is no GPU to share memory with, as over HTTP", async () => {
    const region = { name: "gpu", rawHandle: new Uint8Array(64), deviceId: 0, byteSize: 16 };
    const http = new NereidClient({ baseUrl: server.api.url.origin });
    for (const caller of [client, http]) {
      await expect(caller.registerCudaSharedMemory(region)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("GPUs not supported"),
      });
    }
  });

  it("packs requests and takes packed answers", async () => {
    const long = row(...Array.from({ length: 10_000 }, () => 1));
    const plain = await client.infer("echo", { inputs: [long] });
    const packed = await client.infer(
      "echo",
      { inputs: [long] },
      { requestCompression: "gzip", responseCompression: "deflate" },
    );
    expect(packed.outputs).toEqual(plain.outputs);
  });

  it("matches the answers of a stream by id and goes on after a request that failed", async () => {
    const stream = client.inferStream();
    await stream.send("echo", { id: "a", inputs: [row(1)] });
    await stream.send("nobody", { id: "b", inputs: [row(2)] });
    await stream.send("echo", { id: "c", inputs: [row(3)] });
    stream.end();
    const seen: unknown[] = [];
    for await (const answer of stream) seen.push([answer.response.id, answer.error?.message ?? answer.final]);
    expect(seen).toEqual([
      ["a", true],
      ["b", "Request for unknown model: 'nobody' is not found"],
      ["c", true],
    ]);
  });

  it("cancels what waits: the server drops it from the queue", async () => {
    const { held, pending, free } = await occupy();
    const stop = new AbortController();
    const waiting = client.infer("slow", { inputs: [turns(2)] }, { signal: stop.signal });
    await waitUntil("it waits", async () => (await pending()) === 1);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
    await waitUntil("it is gone from the queue", async () => (await pending()) === 0);
    free();
    await held;
  });

  it("gives up after the time it was told, and so does the server", async () => {
    const { held, pending, free } = await occupy();
    await expect(client.infer("slow", { inputs: [turns(2)] }, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    await waitUntil("it is gone from the queue", async () => (await pending()) === 0);
    free();
    await held;
  });
});

describe("a server that is not there", () => {
  it("is UNAVAILABLE, and is tried again as often as asked", async () => {
    const lonely = new GrpcClient({ address: "127.0.0.1:1", retries: 2 });
    await expect(lonely.serverMetadata()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await lonely.close();
  });

  it("is told apart from one that speaks HTTP", async () => {
    const other = new GrpcClient({ address: server.api.url.host });
    await expect(other.serverMetadata()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await other.close();
  });

  it("is found again after it was restarted", async () => {
    let calls = 0;
    const start = async (port: number) => {
      const fake = createServer();
      fake.on("stream", (stream) => {
        calls += 1;
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(Buffer.alloc(5));
      });
      await new Promise<void>((resolve) => fake.listen(port, "127.0.0.1", resolve));
      return fake;
    };
    const first = await start(0);
    const { port } = first.address() as AddressInfo;
    const caller = new GrpcClient({ address: `127.0.0.1:${port}` });
    expect(await caller.serverLive()).toBe(false);
    await new Promise<void>((resolve) => {
      first.close(() => resolve());
      void caller.close();
    });
    const second = await start(port);
    expect(await caller.serverLive()).toBe(false);
    expect(calls).toBe(2);
    await caller.close();
    second.close();
  });
});
