import { join } from "node:path";
import { tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterEach, describe, expect, it } from "vitest";
import { gated, open, shut } from "../testing/gated-model.ts";
import { childrenOf, processExists } from "../testing/processes.ts";
import { ensemble, fp32, script, step } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, type Tensor } from "../testing/test-api.ts";
import { offset, removeModel, replaceFile, type TestModel, writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server?.dispose());

const start = async (models: readonly TestModel[], ...args: readonly string[]) => {
  server = await startTestServer({
    models,
    mode: ["--model-control-mode=explicit", "--load-on-demand=true"],
    args,
  });
};
const question: Tensor[] = [{ name: "QUESTION", datatype: "FP32", shape: [1], data: [1] }];
const ask = async (model: string) => numbersOf(await server.api.infer(model, floats("QUESTION", [[0]])))[0];
const stateOf = async (model: string) => (await server.api.model(model)).versions[0]?.state;
const loadsOf = (model: string) => server.log.filter((line) => line.msg === "model loaded" && line.model === model);
const evicted = (model: string) => server.log.some((line) => line.msg === "model evicted" && line.model === model);

describe("with --load-on-demand", () => {
  it("a request loads its model, once for all that wait, and the server is ready all the time", async () => {
    await start([gated("late")]);
    const { api } = server;
    expect(childrenOf(server.pid)).toHaveLength(0);
    const waiting = Promise.all(Array.from({ length: 20 }, () => api.infer("late", question)));
    await waitUntil("it is being loaded", async () => (await stateOf("late")) === "LOADING");
    expect(await api.ready()).toBe(true);
    open(server, "late");
    expect((await waiting).map((reply) => numbersOf(reply))).toEqual(Array.from({ length: 20 }, () => [2]));
    expect(loadsOf("late")).toHaveLength(1);
    expect((await api.infer("nobody", question)).status).toBe(404);
    expect((await api.infer("..%2Flate", question)).status).toBe(404);
  });

  it("all front ends wait: generate, gRPC, and a gRPC stream", async () => {
    await start([
      offset("unary", 1),
      offset("streamed", 2),
      script(
        "text",
        `max_batch_size: 0\ninput [ { name: "IN" data_type: TYPE_STRING dims: [ 1 ] } ]\noutput [ { name: "OUT" data_type: TYPE_STRING dims: [ 1 ] } ]`,
        `export const execute = (requests) => requests.map(({ inputs: { IN } }) => ({ outputs: { OUT: { shape: [1], data: [...IN.data] } } }));`,
      ),
    ]);
    const generated = await server.api.post("/v2/models/text/generate", { IN: "hello" });
    expect(JSON.parse(generated.text)).toMatchObject({ OUT: "hello" });
    const client = new GrpcClient({ address: server.grpcAddress });
    try {
      const inputs = [tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [0] })];
      expect((await client.infer("unary", { inputs })).modelVersion).toBe("1");
      const stream = client.inferStream();
      await stream.send("streamed", { id: "a", inputs });
      await stream.send("unary", { id: "b", inputs });
      stream.end();
      const ids: unknown[] = [];
      for await (const { response } of stream) ids.push(response.id);
      expect(ids).toEqual(["a", "b"]);
    } finally {
      await client.close();
    }
  });

  it("a request that waits too long is told so, and the load goes on", async () => {
    await start([gated("slow")], "--load-on-demand-wait-secs=1");
    const reply = await server.api.infer("slow", question);
    expect([reply.status, errorOf(reply)]).toEqual([
      503,
      "model 'slow' is being loaded on demand and is not ready after 1 s; try again later",
    ]);
    open(server, "slow");
    await waitUntil("it serves", async () => (await stateOf("slow")) === "READY");
    expect(numbersOf(await server.api.infer("slow", question))).toEqual([2]);
  });

  it("a client that goes stops waiting, over HTTP and gRPC; the others get their answers", async () => {
    await start([gated("left")]);
    const abort = new AbortController();
    const gone = server.api.infer("left", question, { signal: abort.signal }).catch(() => "gone");
    const stays = server.api.infer("left", question);
    const client = new GrpcClient({ address: server.grpcAddress });
    try {
      await waitUntil("it is being loaded", async () => (await stateOf("left")) === "LOADING");
      const inputs = [tensor({ name: "QUESTION", datatype: "FP32", shape: [1], data: [1] })];
      await expect(client.infer("left", { inputs }, { timeoutMs: 300 })).rejects.toMatchObject({});
      abort.abort();
      expect(await gone).toBe("gone");
      open(server, "left");
      expect(numbersOf(await stays)).toEqual([2]);
      await waitUntil(
        "one request was executed",
        async () => (await server.api.statistics("left")).inference_count === 1,
      );
    } finally {
      await client.close();
    }
  });

  it("a model that does not load is said to be so, does not make the server unready, and is tried again later", async () => {
    await start([
      { name: "broken", files: { "config.pbtxt": 'backend: "onnxruntime"\n', "1/model.onnx": "no model" } },
    ]);
    const reply = await server.api.infer("broken", question);
    expect([reply.status, errorOf(reply)]).toEqual([
      503,
      expect.stringMatching(/^model 'broken' could not be loaded on demand: load failed for model 'broken': version 1/),
    ]);
    expect(await server.api.ready()).toBe(true);
    // Not for every request.
    const failures = () => server.log.filter(({ msg }) => msg === "model load failed").length;
    expect((await server.api.infer("broken", question)).status).toBe(503);
    expect(failures()).toBe(1);
    replaceFile(join(server.repository, "broken/1/model.onnx"), offset("", 4).files["1/model.onnx"] ?? "");
    await waitUntil(
      "it is tried again",
      async () => (await server.api.infer("broken", floats("QUESTION", [[0]]))).status === 200,
    );
    expect(await ask("broken")).toBe(4);
  });

  it("a model a person unloaded stays away until a person loads it", async () => {
    await start([offset("taken", 1)]);
    expect(await ask("taken")).toBe(1);
    expect((await server.api.unload("taken")).status).toBe(200);
    const refused = await server.api.infer("taken", floats("QUESTION", [[0]]));
    expect([refused.status, errorOf(refused)]).toEqual([
      404,
      "Request for unknown model: 'taken' has no available versions",
    ]);
    expect((await server.api.load("taken")).status).toBe(200);
    expect(await ask("taken")).toBe(1);
  });

  it("an idle model is unloaded and comes back when it is asked for; what a person loaded stays", async () => {
    await start([offset("idle", 1), offset("kept", 2)], "--load-on-demand-idle-secs=1");
    expect((await server.api.load("kept")).status).toBe(200);
    expect(await ask("idle")).toBe(1);
    const pid = await server.api.runnerPid("idle");
    await waitUntil("it is evicted", () => evicted("idle"));
    await waitUntil("its process has ended", () => !processExists(pid));
    expect(await server.api.ready()).toBe(true);
    expect((await server.api.index()).find(({ name }) => name === "idle")).toMatchObject({
      state: "UNAVAILABLE",
      reason: "unloaded",
    });
    expect(await ask("idle")).toBe(1);
    expect(evicted("kept")).toBe(false);
    expect(await ask("kept")).toBe(2);
  });

  it("an idle model that a person loads meanwhile stays", async () => {
    await start([offset("claimed", 1), offset("other", 1)], "--load-on-demand-idle-secs=1");
    await ask("claimed");
    await ask("other");
    expect((await server.api.load("claimed")).status).toBe(200);
    await waitUntil("the other is evicted", () => evicted("other"));
    await waitUntil("its runner has ended", () => childrenOf(server.pid).length === 1);
    expect(await ask("claimed")).toBe(1);
    expect(evicted("claimed")).toBe(false);
  });

  it("an ensemble brings its models and takes them away again; one that a person unloaded it does not bring", async () => {
    const io = `input [ ${fp32("QUESTION")} ]\noutput [ ${fp32("ANSWER")} ]`;
    const one = step("part", { in: { QUESTION: "QUESTION" }, out: { ANSWER: "ANSWER" } });
    await start([offset("part", 5), ensemble("whole", io, [one], { maxBatchSize: 8 })], "--load-on-demand-idle-secs=1");
    expect(await ask("whole")).toBe(5);
    await waitUntil("it is evicted", () => evicted("whole"));
    await waitUntil("its model has gone too", () => childrenOf(server.pid).length === 0);
    expect((await server.api.load("part")).status).toBe(200);
    expect((await server.api.unload("part")).status).toBe(200);
    const refused = await server.api.infer("whole", floats("QUESTION", [[0]]));
    expect([refused.status, errorOf(refused)]).toEqual([503, expect.stringContaining("It was unloaded by hand")]);
    expect(await stateOf("part")).not.toBe("READY");
  });

  it("a model whose files are gone is unknown, and one that comes is found", async () => {
    await start([offset("gone", 1)]);
    removeModel(server.repository, "gone");
    expect((await server.api.infer("gone", floats("QUESTION", [[0]]))).status).toBe(404);
    writeModel(server.repository, offset("fresh", 9));
    expect(await ask("fresh")).toBe(9);
  });

  it("answers of a long execution are waited for before its model is evicted", async () => {
    await start([gated("busy")], "--load-on-demand-idle-secs=1");
    open(server, "busy");
    expect(numbersOf(await server.api.infer("busy", question))).toEqual([2]);
    shut(server, "busy");
    const pid = await server.api.runnerPid("busy");
    process.kill(pid, "SIGSTOP");
    const held = server.api.infer("busy", question);
    await waitUntil("it executes", async () => (await server.api.model("busy")).versions[0]?.instances[0]?.busy);
    const since = performance.now();
    await waitUntil("longer than the time of idleness has passed", () => performance.now() - since > 1_500);
    expect(evicted("busy")).toBe(false);
    process.kill(pid, "SIGCONT");
    expect(numbersOf(await held)).toEqual([2]);
    await waitUntil("it is evicted then", () => evicted("busy"));
  });
});

describe("without --load-on-demand", () => {
  it("a request for a model that is not loaded is refused", async () => {
    server = await startTestServer({ models: [offset("off", 1)], mode: ["--model-control-mode=explicit"] });
    expect((await server.api.infer("off", floats("QUESTION", [[0]]))).status).toBe(404);
  });
});
