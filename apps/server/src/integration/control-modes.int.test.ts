import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { offset, removeModel, replaceFile, writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") console.error(server.stderr);
  await server.dispose();
});

const ask = async (model: string, version?: string) => {
  const path = version === undefined ? model : `${model}/versions/${version}`;
  return numbersOf(await server.api.infer(path, floats("QUESTION", [[0]])))[0];
};
const stateOf = async (name: string) => (await server.api.index()).find((row) => row.name === name)?.state;

/** A model with versions 1 to 4, each adding its own number. */
const versions = (name: string, policy: string) => {
  const model = offset(name, 1, policy);
  const more = Object.fromEntries(
    [2, 3, 4].map((by) => [`${by}/model.onnx`, offset("", by).files["1/model.onnx"] ?? ""]),
  );
  return { name, files: { ...model.files, ...more } };
};

describe("NONE mode", () => {
  it("loads everything at the start and refuses load and unload", async () => {
    server = await startTestServer({ models: [offset("a", 1), offset("b", 2)], mode: ["--model-control-mode=none"] });
    expect([await ask("a"), await ask("b")]).toEqual([1, 2]);
    for (const call of [server.api.load("a"), server.api.unload("a")]) {
      const reply = await call;
      expect(reply.status).toBe(503);
      expect(errorOf(reply)).toBe("explicit model load / unload is not allowed if polling is enabled");
    }
    expect(await ask("a")).toBe(1);
  });

  it("does not start when a model does not load, unless --exit-on-error=false", async () => {
    const broken = { name: "broken", files: { "1/model.onnx": "no model" } };
    const models = [offset("a", 1), broken];
    await expect(startTestServer({ models, mode: ["--model-control-mode=none"] })).rejects.toThrow(
      /ended with 1:[\s\S]*failed to load all models/,
    );
    server = await startTestServer({ models, mode: ["--model-control-mode=none", "--exit-on-error=false"] });
    expect(await ask("a")).toBe(1);
    expect(await stateOf("broken")).toBe("UNAVAILABLE");
    expect(await server.api.ready()).toBe(false);
  });
});

describe("EXPLICIT mode", () => {
  it("loads only what --load-model names, and the rest when asked", async () => {
    server = await startTestServer({
      models: [offset("a", 1), offset("b", 2)],
      mode: ["--model-control-mode=explicit", "--load-model=a"],
    });
    expect(await server.api.index()).toEqual([{ name: "a", version: "1", state: "READY" }, { name: "b" }]);
    expect(await server.api.ready()).toBe(true);
    expect((await server.api.load("b")).status).toBe(200);
    expect(await ask("b")).toBe(2);
  });

  it("answers a load of a model nobody has with Triton's error and stays ready", async () => {
    server = await startTestServer({ models: [offset("a", 1)] });
    for (const name of ["missing", "m%00", "..", "a..b"]) {
      const reply = await server.api.load(name);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(errorOf(reply)).toMatch(
        /failed to load 'missing', failed to poll from model repository|model name|failed to load/,
      );
    }
    expect(await server.api.ready()).toBe(true);
    expect((await server.api.index()).map(({ name }) => name)).toEqual(["a"]);
    expect((await server.api.unload("missing")).status).toBe(200);
  });

  it("remembers in --state-dir what was loaded and unloaded, over a restart and over a kill", async () => {
    const directory = testDirectory([offset("a", 1), offset("b", 2), offset("c", 3)]);
    const options = {
      mode: ["--model-control-mode=explicit", "--load-model=a", "--load-model=b"],
      args: [`--state-dir=${join(directory, "state")}`],
    };
    server = launchTestServer(directory, options);
    await server.ready();
    expect((await server.api.load("c")).status).toBe(200);
    expect((await server.api.unload("a")).status).toBe(200);
    server.signal("SIGKILL");
    await server.exited;

    server = launchTestServer(directory, options);
    await server.ready();
    const states = (await server.api.index()).map(({ name, state }) => [name, state ?? "never loaded"]);
    expect(states).toEqual([
      ["a", "never loaded"],
      ["b", "READY"],
      ["c", "READY"],
    ]);
  });

  it("starts, and says why, when the journal in --state-dir is damaged", async () => {
    const directory = testDirectory([offset("a", 1)]);
    mkdirSync(join(directory, "state"));
    writeFileSync(join(directory, "state/desired-models.json"), '{"version":1,"loaded":["a"');
    server = launchTestServer(directory, { args: [`--state-dir=${join(directory, "state")}`] });
    await server.ready();
    expect(await ask("a")).toBe(1);
    expect(server.stderr).toContain("desired-models.json");
  });
});

describe("POLL mode", () => {
  it("follows the repository, and no broken model stops it", async () => {
    server = await startTestServer({
      models: [offset("changing", 1)],
      mode: ["--model-control-mode=poll", "--repository-poll-secs=1"],
    });
    const { api, repository } = server;
    expect(errorOf(await api.load("changing"))).toBe(
      "explicit model load / unload is not allowed if polling is enabled",
    );

    writeModel(repository, { name: "broken", files: { "1/model.onnx": "no model" } });
    writeModel(repository, { name: "misspelt", files: { "config.pbtxt": "max_bach_size: 1", "1/model.onnx": "" } });
    await waitUntil("the broken model was tried", async () => (await stateOf("broken")) === "UNAVAILABLE");

    replaceFile(join(repository, "changing/1/model.onnx"), offset("", 2).files["1/model.onnx"] ?? "");
    writeModel(repository, offset("added", 5));
    await waitUntil("the new model serves", async () => (await stateOf("added")) === "READY");
    expect(await ask("added")).toBe(5);
    await waitUntil("the changed model serves its new file", async () => (await ask("changing")) === 2);

    removeModel(repository, "added");
    await waitUntil(
      "the removed model is unloaded",
      async () => (await api.infer("added", floats("QUESTION", [[0]]))).status === 404,
    );
    writeModel(repository, offset("broken", 7));
    await waitUntil("the mended model serves", async () => (await stateOf("broken")) === "READY");
    expect(await ask("broken")).toBe(7);
  });

  it("does not load a model while its files still change", async () => {
    server = await startTestServer({ mode: ["--model-control-mode=poll", "--repository-poll-secs=1"] });
    const { repository } = server;
    const whole = offset("copied", 3);
    const bytes = whole.files["1/model.onnx"] ?? "";
    writeModel(repository, { name: "copied", files: { ...whole.files, "1/model.onnx": bytes.slice(0, 20) } });
    // A copy in progress: the file grows between any two looks, for longer than three polls take.
    const started = performance.now();
    let at = 20;
    const rest = Buffer.from(bytes);
    await waitUntil("the copy has taken a while", () => {
      if (at < rest.byteLength - 1) appendFileSync(join(repository, "copied/1/model.onnx"), rest.subarray(at, ++at));
      return performance.now() - started > 3_300;
    });
    expect(await stateOf("copied")).toBeUndefined();
    expect(server.log.filter(({ model }) => model === "copied")).toEqual([]);
    writeModel(repository, whole);
    await waitUntil("the whole model serves", async () => (await stateOf("copied")) === "READY");
    expect(await ask("copied")).toBe(3);
  });
});

describe("a version policy", () => {
  it("decides which versions serve; a request without a version goes to the highest", async () => {
    server = await startTestServer({
      models: [
        versions("by_default", ""),
        versions("latest", "version_policy { latest { num_versions: 2 } }"),
        versions("all", "version_policy { all { } }"),
        versions("specific", "version_policy { specific { versions: [ 1, 3 ] } }"),
      ],
    });
    const served = async (model: string) =>
      (JSON.parse((await server.api.call(`/v2/models/${model}`)).text) as { versions: string[] }).versions;
    expect(await served("by_default")).toEqual(["4"]);
    expect(await served("latest")).toEqual(["3", "4"]);
    expect(await served("all")).toEqual(["1", "2", "3", "4"]);
    expect(await served("specific")).toEqual(["1", "3"]);
    expect([await ask("all"), await ask("all", "2"), await ask("specific"), await ask("specific", "1")]).toEqual([
      4, 2, 3, 1,
    ]);
    const missing = await server.api.infer("specific/versions/2", floats("QUESTION", [[0]]));
    expect([missing.status, errorOf(missing)]).toEqual([
      404,
      "Request for unknown model: 'specific' version 2 is not found",
    ]);

    // A narrower policy unloads what it leaves out and keeps the rest as it is.
    const pid = (await server.api.model("all")).versions.find(({ version }) => version === "4")?.runner?.pid;
    writeModel(server.repository, versions("all", "version_policy { specific { versions: [ 2, 4 ] } }"));
    expect((await server.api.load("all")).status).toBe(200);
    expect(await served("all")).toEqual(["2", "4"]);
    const gone = await server.api.infer("all/versions/1", floats("QUESTION", [[0]]));
    expect([gone.status, errorOf(gone)]).toEqual([
      503,
      "Request for unknown model: 'all' version 1 is not at ready state",
    ]);
    expect(pid).toBeGreaterThan(0);
    await waitUntil("the server is ready", () => server.api.ready());
  });
});
