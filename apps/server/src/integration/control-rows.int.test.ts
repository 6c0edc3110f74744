import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { gated, open } from "../testing/gated-model.ts";
import { childrenOf, processExists } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, type IndexRow, numbersOf, parse, type Tensor } from "../testing/test-api.ts";
import { identity, offset, replaceFile, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server?.dispose());

const EXPLICIT = ["--model-control-mode=explicit"];
const modelFile = (by: number) => offset("", by).files["1/model.onnx"] ?? "";
const question: Tensor[] = [{ name: "QUESTION", datatype: "FP32", shape: [1], data: [1] }];
const zero = floats("QUESTION", [[0]]);
const rows = async (name: string) => (await server.api.index()).filter((row) => row.name === name);
const readyRows = async () => parse<IndexRow[]>(await server.api.post("/v2/repository/index", { ready: true }));
const said = ({ status, text }: { status: number; text: string }) => [status, errorOf({ status, text } as never)];
const pids = async (name: string) =>
  Object.fromEntries(
    (await server.api.model(name)).versions.map(({ version, runner, state }) => [
      version,
      state === "READY" ? runner?.pid : undefined,
    ]),
  );

/** Version n adds n. */
function versioned(name: string, policy: string, versions: readonly number[]): TestModel {
  const config = offset(name, 1, policy).files["config.pbtxt"] ?? "";
  return {
    name,
    files: { "config.pbtxt": config, ...Object.fromEntries(versions.map((n) => [`${n}/model.onnx`, modelFile(n)])) },
  };
}

const ALL = "version_policy { all { } }";

describe("load", () => {
  it("of what cannot be polled is 500 with Triton's words: no such directory, a configuration that is none", async () => {
    server = await startTestServer({
      models: [{ name: "garbled", files: { "config.pbtxt": "max_batch_size: {", "1/model.onnx": modelFile(1) } }],
      mode: EXPLICIT,
    });
    for (const name of ["nowhere", "garbled"]) {
      expect(said(await server.api.load(name))).toEqual([
        500,
        expect.stringMatching(new RegExp(`^failed to load '${name}', failed to poll from model repository`)),
      ]);
    }
  });

  it("of a model without a version is 500 with Triton's words", async () => {
    server = await startTestServer({
      models: [
        {
          name: "bare",
          files: { "config.pbtxt": 'backend: "onnxruntime"\n', "notes/model.onnx": "", "01/model.onnx": "" },
        },
      ],
      mode: EXPLICIT,
    });
    expect(said(await server.api.load("bare"))).toEqual([
      500,
      expect.stringMatching(/^failed to load 'bare', no version is available/),
    ]);
  });

  it("that fails while it loads is 400 with each version's words, and the index has the reason", async () => {
    server = await startTestServer({
      models: [
        {
          name: "two",
          files: { "config.pbtxt": `backend: "onnxruntime"\n${ALL}\n`, "1/model.onnx": "a", "2/model.onnx": "b" },
        },
      ],
      mode: EXPLICIT,
    });
    const reply = await server.api.load("two");
    expect(said(reply)).toEqual([
      400,
      expect.stringMatching(
        /^load failed for model 'two': version 1 is at UNAVAILABLE state: Invalid argument: [^\n]*;\nversion 2 is at UNAVAILABLE state: Invalid argument: [^\n]*;\n$/,
      ),
    ]);
    const [one, two] = await rows("two");
    for (const row of [one, two])
      expect(row).toMatchObject({ state: "UNAVAILABLE", reason: expect.stringMatching(/^Invalid argument: /) });
  });

  it.each(["..", "a/../b", "..%2f..%2fetc", "%2e%2e"])(
    "of the name %j is refused and nothing is read",
    async (name) => {
      server = await startTestServer({ models: [offset("there", 1)], mode: EXPLICIT });
      expect((await server.api.load(name)).status).toBeGreaterThanOrEqual(400);
      expect(
        (await server.api.post(`/nereid/v1/models/${encodeURIComponent(name)}/load`)).status,
      ).toBeGreaterThanOrEqual(400);
      expect(await server.api.ready()).toBe(true);
    },
  );

  it("that failed really tries again although no file has changed", async () => {
    server = await startTestServer({
      models: [{ name: "again", files: { "config.pbtxt": 'backend: "onnxruntime"\n', "1/model.onnx": "no model" } }],
      mode: EXPLICIT,
    });
    const failures = () => server.log.filter(({ msg }) => msg === "model load failed").length;
    for (const count of [1, 2]) {
      expect((await server.api.load("again")).status).toBe(400);
      await waitUntil("it is in the log", () => failures() === count);
    }
  });

  it("with a new version that is broken changes nothing; with one that is whole adds it and keeps the others' processes", async () => {
    server = await startTestServer({ models: [versioned("grows", ALL, [1, 2])] });
    const { api } = server;
    const before = await pids("grows");
    replaceFile(join(server.repository, "grows/3/model.onnx"), "no model");
    expect(said(await api.load("grows"))).toEqual([
      400,
      expect.stringMatching(/^load failed for model 'grows': version 3 is at UNAVAILABLE state: /),
    ]);
    expect(await pids("grows")).toMatchObject(before);
    expect(numbersOf(await api.infer("grows", zero))).toEqual([2]);
    replaceFile(join(server.repository, "grows/3/model.onnx"), modelFile(3));
    expect((await api.load("grows")).status).toBe(200);
    expect(await pids("grows")).toMatchObject(before);
    expect(numbersOf(await api.infer("grows", zero))).toEqual([3]);
  });

  it("with only the version policy changed starts what is new, ends what is left out, and leaves the rest alone", async () => {
    server = await startTestServer({ models: [versioned("policy", ALL, [1, 2, 3])] });
    const { api } = server;
    const before = await pids("policy");
    const { files } = versioned("policy", "version_policy { specific { versions: [ 2 ] } }", []);
    replaceFile(join(server.repository, "policy/config.pbtxt"), files["config.pbtxt"] ?? "");
    expect((await api.load("policy")).status).toBe(200);
    expect((await pids("policy"))["2"]).toBe(before["2"]);
    await waitUntil("the others have ended", () => childrenOf(server.pid).length === 1);
    for (const version of ["1", "3"])
      expect((await rows("policy")).find((row) => row.version === version)).toMatchObject({
        state: "UNAVAILABLE",
        reason: "unloaded",
      });
    expect(await api.ready()).toBe(true);
  });

  it("with only the instance count changed changes the instances in place", async () => {
    server = await startTestServer({ models: [identity("counted")] });
    const { api } = server;
    const pid = await api.runnerPid("counted");
    const config = String(identity("counted").files["config.pbtxt"]).replace("count: 1", "count: 2");
    replaceFile(join(server.repository, "counted/config.pbtxt"), config);
    expect((await api.load("counted")).status).toBe(200);
    expect(await api.runnerPid("counted")).toBe(pid);
    expect((await api.model("counted")).versions[0]?.instances).toHaveLength(2);
  });

  it("of different models goes side by side, of one model one after the other", async () => {
    server = await startTestServer({ models: [gated("a"), gated("b")], mode: EXPLICIT });
    const { api } = server;
    const loads = [
      api.load("a"),
      api.load("a", {
        config:
          '{"backend":"javascript","max_batch_size":0,"input":[{"name":"QUESTION","data_type":"TYPE_FP32","dims":[-1]}],"output":[{"name":"ANSWER","data_type":"TYPE_FP32","dims":[-1]}]}',
      }),
      api.load("b"),
    ];
    await waitUntil("both models load", async () => {
      const states = [await rows("a"), await rows("b")].map(([row]) => row?.state);
      return states.every((state) => state === "LOADING") && childrenOf(server.pid).length === 2;
    });
    open(server, "b");
    expect((await loads[2])?.status).toBe(200);
    expect(childrenOf(server.pid)).toHaveLength(2);
    open(server, "a");
    for (const load of loads) expect((await load).status).toBe(200);
  });
});

describe("unload", () => {
  it("returns at once; what was accepted is answered, what comes is refused by Triton's words, the index says so", async () => {
    server = await startTestServer({ models: [gated("held")], mode: EXPLICIT });
    const { api } = server;
    open(server, "held");
    expect((await api.load("held")).status).toBe(200);
    const pid = await api.runnerPid("held");
    process.kill(pid, "SIGSTOP");
    const held = api.infer("held", question);
    await waitUntil("it executes", async () => (await api.model("held")).versions[0]?.instances[0]?.busy);
    expect((await api.unload("held")).status).toBe(200);
    expect(await rows("held")).toEqual([{ name: "held", version: "1", state: "UNLOADING" }]);
    expect(said(await api.infer("held", question))).toEqual([
      404,
      "Request for unknown model: 'held' has no available versions",
    ]);
    expect(said(await api.infer("held/versions/1", question))).toEqual([
      503,
      "Request for unknown model: 'held' version 1 is not at ready state",
    ]);
    expect(await api.ready("held")).toBe(false);
    process.kill(pid, "SIGCONT");
    expect(numbersOf(await held)).toEqual([2]);
    await waitUntil("its process has ended", () => !processExists(pid));
    await waitUntil("the index says so", async () => (await rows("held"))[0]?.state === "UNAVAILABLE");
    expect(await rows("held")).toEqual([{ name: "held", version: "1", state: "UNAVAILABLE", reason: "unloaded" }]);
    expect(await api.ready()).toBe(true);
  });

  it("of what is unknown, or was never loaded, is a success", async () => {
    server = await startTestServer({ models: [offset("never", 1)], mode: EXPLICIT });
    for (const name of ["nobody", "never"]) expect((await server.api.unload(name)).status).toBe(200);
    expect(await rows("never")).toEqual([{ name: "never" }]);
    expect(await rows("nobody")).toEqual([]);
  });
});

describe("the repository index", () => {
  it("has the bare name of a model that was never loaded, and with ready only READY versions", async () => {
    server = await startTestServer({
      models: [offset("never", 1), versioned("both", ALL, [1, 2])],
      mode: [...EXPLICIT, "--load-model=both"],
    });
    const { api } = server;
    expect(await rows("never")).toEqual([{ name: "never" }]);
    expect(await readyRows()).toEqual([
      { name: "both", version: "1", state: "READY" },
      { name: "both", version: "2", state: "READY" },
    ]);
    parse(await api.post("/nereid/v1/models/both/versions/1/unload"));
    await waitUntil("it has ended", () => childrenOf(server.pid).length === 1);
    expect(await readyRows()).toEqual([{ name: "both", version: "2", state: "READY" }]);
    expect((await rows("both")).map(({ state }) => state)).toEqual(["UNAVAILABLE", "READY"]);
  });
});

describe("readiness", () => {
  const broken: TestModel = {
    name: "broken",
    files: { "config.pbtxt": 'backend: "onnxruntime"\n', "1/model.onnx": "no model" },
  };

  it("is strict by default: a model that failed makes the server unready until it is unloaded or mended", async () => {
    server = await startTestServer({ models: [broken, offset("good", 1)], mode: [...EXPLICIT, "--load-model=good"] });
    const { api } = server;
    expect(await api.ready()).toBe(true);
    expect((await api.load("broken")).status).toBe(400);
    expect(await api.ready()).toBe(false);
    expect((await api.unload("broken")).status).toBe(200);
    await waitUntil("its reason is that it was unloaded", () => api.ready());
    expect((await api.load("broken")).status).toBe(400);
    expect(await api.ready()).toBe(false);
    replaceFile(join(server.repository, "broken/1/model.onnx"), modelFile(1));
    expect((await api.load("broken")).status).toBe(200);
    expect(await api.ready()).toBe(true);
  });

  it("strict, follows the processes: a model whose runner does not answer makes the server and the model unready", async () => {
    server = await startTestServer({ models: [offset("mute", 1)] });
    const pid = await server.api.runnerPid("mute");
    process.kill(pid, "SIGSTOP");
    await waitUntil("the server is unready", async () => !(await server.api.ready()));
    expect(await server.api.ready("mute")).toBe(false);
    process.kill(pid, "SIGCONT");
    await waitUntil("the server is ready", () => server.api.ready());
    expect(await server.api.ready("mute")).toBe(true);
  });

  it("with --strict-readiness=false is only the server's own", async () => {
    server = await startTestServer({ models: [broken], args: ["--strict-readiness=false", "--exit-on-error=false"] });
    expect(await server.api.ready()).toBe(true);
    expect(await server.api.ready("broken")).toBe(false);
  });
});
