import { join } from "node:path";
import { GrpcClient } from "@nereid/client/grpc";
import { afterEach, describe, expect, it } from "vitest";
import { childrenOf } from "../testing/processes.ts";
import { ensemble, fp32, script, step } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { offset, replaceFile, type TestModel, writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server?.dispose());

const IO = `input [ ${fp32("QUESTION")} ]\noutput [ ${fp32("ANSWER")} ]`;
const through = (model: string, version?: number) =>
  step(model, {
    in: { QUESTION: "QUESTION" },
    out: { ANSWER: "ANSWER" },
    ...(version !== undefined && { version }),
  });
const around = (name: string, model: string, version?: number): TestModel =>
  ensemble(name, IO, [through(model, version)], { maxBatchSize: 8 });
const start = async (models: readonly TestModel[], ...args: readonly string[]) => {
  server = await startTestServer({ models, mode: ["--model-control-mode=explicit", ...args] });
};
const ask = async (model: string) => numbersOf(await server.api.infer(model, floats("QUESTION", [[0]])))[0];
const row = async (name: string) => (await server.api.index()).find((entry) => entry.name === name);
const loadError = async (name: string) => {
  const reply = await server.api.load(name);
  return [reply.status, errorOf(reply)];
};

describe("the load of an ensemble", () => {
  it("finds its models and loads them too, through ensembles within ensembles", async () => {
    await start([offset("leaf", 3), around("middle", "leaf"), around("top", "middle")]);
    expect((await server.api.load("top")).status).toBe(200);
    expect(await ask("top")).toBe(3);
    for (const name of ["leaf", "middle", "top"]) expect(await row(name)).toMatchObject({ state: "READY" });
    expect(await server.api.ready()).toBe(true);
  });

  it("fails by its words when a model of it is nowhere, and has no version of its own then", async () => {
    await start([around("lonely", "nobody")]);
    expect(await loadError("lonely")).toEqual([
      500,
      "failed to load 'lonely', no version is available: ensemble lonely contains models that are not available or ambiguous: nobody",
    ]);
    expect((await row("lonely"))?.version).toBeUndefined();
    expect(await server.api.ready()).toBe(false);
  });

  it("fails by its words when the version a step requires is not loaded", async () => {
    await start([offset("leaf", 1), around("picky", "leaf", 7)]);
    expect(await loadError("picky")).toEqual([
      500,
      "failed to load 'picky', no version is available: ensemble 'picky' depends on 'leaf' whose required version 7 is not loaded.",
    ]);
  });

  it("fails by its words when a model of it does not load, with that model's own", async () => {
    const broken = { name: "broken", files: { "config.pbtxt": 'backend: "onnxruntime"\n', "1/model.onnx": "nothing" } };
    await start([broken, around("unlucky", "broken")]);
    const [status, text] = await loadError("unlucky");
    expect(status).toBe(500);
    expect(text).toMatch(
      /^failed to load 'unlucky', no version is available: ensemble 'unlucky' depends on 'broken' which has no loaded version\. Model 'broken' loading failed with error: load failed for model 'broken': version 1 is at UNAVAILABLE state: Invalid argument: /,
    );
    expect(await row("broken")).toMatchObject({ version: "1", state: "UNAVAILABLE" });
  });

  it("fails by its words in a circle, and waits for nobody", async () => {
    await start([around("one", "two"), around("two", "one"), around("self", "self")]);
    expect(await loadError("one")).toEqual([
      500,
      expect.stringContaining("circular dependency between ensembles: one -> two -> one"),
    ]);
    expect(await loadError("self")).toEqual([
      500,
      expect.stringContaining("circular dependency between ensembles: self -> self"),
    ]);
  });

  it("fails when the tensors of a step do not fit, and loads when they do", async () => {
    const shape = (dims: string) =>
      script(
        "sized",
        `max_batch_size: 8\ninput [ ${fp32("QUESTION", dims)} ]\noutput [ ${fp32("ANSWER", dims)} ]`,
        "export const execute = (requests) => requests.map(({ inputs: { QUESTION } }) => ({ outputs: { ANSWER: QUESTION } }));",
      );
    await start([
      shape("3"),
      ensemble("fixed", `input [ ${fp32("QUESTION", "4")} ]\noutput [ ${fp32("ANSWER", "4")} ]`, [through("sized")], {
        maxBatchSize: 8,
      }),
    ]);
    expect((await server.api.load("fixed")).status).not.toBe(200);
    writeModel(server.repository, shape("4"));
    expect((await server.api.load("sized")).status).toBe(200);
    expect((await server.api.load("fixed")).status).toBe(200);
  });
});

describe("the unload of a model that an ensemble needs", () => {
  it("makes the ensemble UNAVAILABLE with the reason, unready, and brings it back with the model", async () => {
    await start([offset("leaf", 2), around("whole", "leaf"), around("outer", "whole")], "--load-model=outer");
    const { api } = server;
    expect(await ask("outer")).toBe(2);
    expect((await api.unload("leaf")).status).toBe(200);
    await waitUntil("the ensemble says why", async () => (await row("whole"))?.state === "UNAVAILABLE");
    expect(await row("whole")).toMatchObject({
      version: "1",
      reason: "Invalid argument: ensemble 'whole' depends on 'leaf' which has no loaded version.",
    });
    await waitUntil("the outer ensemble too", async () => (await row("outer"))?.state === "UNAVAILABLE");
    expect(await row("outer")).toMatchObject({
      reason: "Invalid argument: ensemble 'outer' depends on 'whole' which has no loaded version.",
    });
    expect(await api.ready()).toBe(false);
    expect(await api.ready("whole")).toBe(false);
    const refused = await api.infer("whole", floats("QUESTION", [[0]]));
    expect([refused.status, errorOf(refused)]).toEqual([
      404,
      "Request for unknown model: 'whole' has no available versions",
    ]);
    expect((await api.load("leaf")).status).toBe(200);
    await waitUntil("both are back", async () => (await row("outer"))?.state === "READY");
    expect(await ask("outer")).toBe(2);
    await waitUntil("the server is ready", () => api.ready());
  });

  it("lets the requests end that the ensemble has accepted", async () => {
    await start([offset("leaf", 2), around("whole", "leaf")], "--load-model=whole");
    const { api } = server;
    const pid = await api.runnerPid("leaf");
    process.kill(pid, "SIGSTOP");
    const held = api.infer("whole", floats("QUESTION", [[1]]));
    await waitUntil("it is at its step", async () => (await api.model("leaf")).versions[0]?.instances[0]?.busy);
    expect((await api.unload("leaf")).status).toBe(200);
    process.kill(pid, "SIGCONT");
    expect(numbersOf(await held)).toEqual([3]);
    await waitUntil("the runner has ended", () => childrenOf(server.pid).length === 0);
  });
});

describe("the reload of a model that an ensemble needs", () => {
  it("brings its new behaviour into the ensemble", async () => {
    await start([offset("leaf", 2), around("whole", "leaf")], "--load-model=whole");
    replaceFile(join(server.repository, "leaf/1/model.onnx"), offset("", 5).files["1/model.onnx"] ?? "");
    expect((await server.api.load("leaf")).status).toBe(200);
    expect(await ask("whole")).toBe(5);
  });

  it("with other tensors makes the ensemble UNAVAILABLE, and back again", async () => {
    await start([offset("leaf", 2), around("whole", "leaf")], "--load-model=whole");
    const other = script(
      "leaf",
      `max_batch_size: 8\ninput [ ${fp32("OTHER")} ]\noutput [ ${fp32("ANSWER")} ]`,
      "export const execute = (requests) => requests.map(({ inputs: { OTHER } }) => ({ outputs: { ANSWER: OTHER } }));",
    );
    const before = offset("leaf", 4);
    writeModel(server.repository, other);
    expect((await server.api.load("leaf")).status).toBe(200);
    await waitUntil("the ensemble does not fit", async () => (await row("whole"))?.state === "UNAVAILABLE");
    expect((await row("whole"))?.reason).toMatch(/^Invalid argument: .*(?:QUESTION|OTHER)/);
    writeModel(server.repository, before);
    expect((await server.api.load("leaf")).status).toBe(200);
    await waitUntil("the ensemble is back", async () => (await row("whole"))?.state === "READY");
    expect(await ask("whole")).toBe(4);
  });
});

describe("unload_dependents", () => {
  const models = [offset("implicit", 1), offset("explicit", 2), offset("shared", 4)];
  const both = (name: string, a: string, b: string) =>
    ensemble(
      name,
      IO,
      [
        step(a, { in: { QUESTION: "QUESTION" }, out: { ANSWER: "between" } }),
        step(b, { in: { QUESTION: "between" }, out: { ANSWER: "ANSWER" } }),
      ],
      { maxBatchSize: 8 },
    );
  const unload = (name: string, dependents: boolean) =>
    server.api.post(`/v2/repository/models/${name}/unload`, { parameters: { unload_dependents: dependents } });

  it("true unloads the models that nobody asked for; those asked for, and those another ensemble needs, stay", async () => {
    await start([
      ...models,
      both("first", "implicit", "explicit"),
      both("second", "shared", "explicit"),
      both("third", "shared", "implicit"),
    ]);
    const { api } = server;
    expect((await api.load("explicit")).status).toBe(200);
    for (const name of ["first", "second"]) expect((await api.load(name)).status).toBe(200);
    expect(await ask("first")).toBe(3);
    expect((await unload("first", true)).status).toBe(200);
    await waitUntil("its own model goes", async () => (await row("implicit"))?.reason === "unloaded");
    expect([await row("explicit"), await row("shared"), await row("second")].map((entry) => entry?.state)).toEqual([
      "READY",
      "READY",
      "READY",
    ]);
    expect(await api.ready()).toBe(true);
    expect((await api.load("third")).status).toBe(200);
    expect((await unload("third", true)).status).toBe(200);
    await waitUntil("its own model goes", async () => (await row("implicit"))?.state === "UNAVAILABLE");
    expect((await row("shared"))?.state).toBe("READY");
  });

  it("false, and nothing said, leaves them all", async () => {
    await start([...models, both("first", "implicit", "explicit")]);
    const { api } = server;
    for (const how of [false, undefined]) {
      expect((await api.load("first")).status).toBe(200);
      expect((how === undefined ? await api.unload("first") : await unload("first", how)).status).toBe(200);
      await waitUntil("the ensemble is unloaded", async () => (await row("first"))?.reason === "unloaded");
      expect([await row("implicit"), await row("explicit")].map((entry) => entry?.state)).toEqual(["READY", "READY"]);
    }
  });

  it("is heard over gRPC too", async () => {
    await start([...models, both("first", "implicit", "explicit")]);
    const client = new GrpcClient({ address: server.grpcAddress });
    try {
      await client.loadModel("first");
      await client.unloadModel("first", { unloadDependents: true });
    } finally {
      await client.close();
    }
    await waitUntil("all have gone", () => childrenOf(server.pid).length === 0);
  });
});
