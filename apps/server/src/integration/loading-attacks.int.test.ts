import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { gated, open, shut } from "../testing/gated-model.ts";
import { childrenOf, processExists } from "../testing/processes.ts";
import { ensemble, fp32, step } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse, type Tensor } from "../testing/test-api.ts";
import { offset, replaceFile, type TestModel, writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const MB = 2 ** 20;
const EXPLICIT = ["--model-control-mode=explicit"];
const ON_DEMAND = [...EXPLICIT, "--load-on-demand=true"];
let server: TestServer;
afterEach(() => server?.dispose());

const start = async (models: readonly TestModel[], mode: readonly string[], ...args: readonly string[]) => {
  server = await startTestServer({ models, mode, args });
};
const question: Tensor[] = [{ name: "QUESTION", datatype: "FP32", shape: [1], data: [1] }];
const rows = (value: number) => floats("QUESTION", [[value]]);
const stateOf = async (model: string) => (await server.api.model(model)).versions[0]?.state;
interface View {
  readonly loading: readonly { readonly version: string; readonly stage: string }[];
}
const stage = async (model: string) =>
  parse<View>(await server.api.call(`/nereid/v1/models/${model}`)).loading[0]?.stage;
const loading = (model: string) => waitUntil(`${model} loads`, async () => (await stage(model)) === "loading");
const servedOf = async (model: string) =>
  (await server.api.model(model)).versions.filter(({ state }) => state === "READY").map(({ version }) => version);
const io = `input [ ${fp32("QUESTION")} ]\noutput [ ${fp32("ANSWER")} ]`;
const one = (model: string) => step(model, { in: { QUESTION: "QUESTION" }, out: { ANSWER: "ANSWER" } });
const twice = (first: string, second: string) => [
  step(first, { in: { QUESTION: "QUESTION" }, out: { ANSWER: "between" } }),
  step(second, { in: { QUESTION: "between" }, out: { ANSWER: "ANSWER" } }),
];
const two = (name: string, ...offsets: readonly [number, number]): TestModel => ({
  name,
  files: {
    ...offset(name, offsets[0]).files,
    "2/model.onnx": offset(name, offsets[1]).files["1/model.onnx"] ?? "",
  },
});

describe("loads", () => {
  it("a cancel ends the load in progress and the one that waits behind it", async () => {
    await start([gated("queue")], EXPLICIT);
    const first = server.api.load("queue");
    await loading("queue");
    const second = server.api.load("queue", { config: JSON.stringify({ backend: "javascript", name: "queue" }) });
    const pid = childrenOf(server.pid)[0] ?? 0;
    await waitUntil("the second waits", async () => {
      const view = parse<View>(await server.api.call("/nereid/v1/models/queue"));
      return view.loading[1]?.stage === "queued";
    });
    const cancel = parse(await server.api.post("/nereid/v1/models/queue/load/cancel"));
    await waitUntil("the first process has ended", () => !processExists(pid));
    expect((await first).status).toBe(400);
    expect(cancel).toEqual({ cancelled: 2 });
    expect((await second).status).toBe(400);
  });

  it("a restart that hangs ends with the unload of its model", async () => {
    await start([gated("stuck")], EXPLICIT);
    open(server, "stuck");
    expect((await server.api.load("stuck")).status).toBe(200);
    shut(server, "stuck");
    const pid = await server.api.runnerPid("stuck");
    process.kill(pid, "SIGKILL");
    const next = await waitUntil("it is being restarted", () => childrenOf(server.pid).find((one) => one !== pid));
    expect((await server.api.unload("stuck")).status).toBe(200);
    await waitUntil("its process has ended", () => !processExists(next), 8_000);
  });

  it("further instances that hang can be given up: what serves goes on, and the next load brings them", async () => {
    await start([gated("grow")], EXPLICIT);
    const { api } = server;
    const instances = async () => (await api.model("grow")).versions[0]?.instances.length;
    const cancel = () => api.post("/nereid/v1/models/grow/load/cancel");
    open(server, "grow");
    expect((await api.load("grow")).status).toBe(200);
    const pid = await api.runnerPid("grow");
    const config = String(gated("grow").files["config.pbtxt"]).replace("count: 1", "count: 3");
    replaceFile(join(server.repository, "grow/config.pbtxt"), config);
    for (let round = 0; round < 2; round++) {
      shut(server, "grow");
      const load = api.load("grow");
      await waitUntil("its instances start", async () => (await stage("grow")) === "instances");
      expect(parse(await cancel())).toEqual({ cancelled: 1 });
      expect((await load).status).toBe(400);
      expect(numbersOf(await api.infer("grow", question))).toEqual([2]);
      expect(await instances()).toBe(1);
    }
    open(server, "grow");
    expect((await api.load("grow")).status).toBe(200);
    expect(await instances()).toBe(3);
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.infer("grow", question)));
    expect(answers.map((answer) => numbersOf(answer))).toEqual(Array.from({ length: 12 }, () => [2]));
    expect(await api.runnerPid("grow")).toBe(pid);
  });

  it("a load that fails while the version before it still answers is what the index tells of", async () => {
    await start([offset("swap", 1)], EXPLICIT);
    const { api } = server;
    expect((await api.load("swap")).status).toBe(200);
    const pid = await api.runnerPid("swap");
    process.kill(pid, "SIGSTOP");
    const held = api.infer("swap", rows(1));
    await waitUntil("it executes", async () => (await api.model("swap")).versions[0]?.instances[0]?.busy);
    expect((await api.unload("swap")).status).toBe(200);
    expect(await stateOf("swap")).toBe("UNLOADING");
    writeFileSync(join(server.repository, "swap/1/model.onnx"), "broken");
    const failed = await api.load("swap");
    expect(failed.status).toBe(400);
    process.kill(pid, "SIGCONT");
    expect(numbersOf(await held)).toEqual([2]);
    await waitUntil("the old one has ended", async () => (await stateOf("swap")) === "UNAVAILABLE");
    const [row] = await api.index();
    expect(row?.reason).not.toBe("unloaded");
    expect(await api.ready()).toBe(false);
  });

  it("a process killed while it loads fails its load, and the next load works", async () => {
    await start([gated("killed")], EXPLICIT);
    const load = server.api.load("killed");
    await loading("killed");
    process.kill(childrenOf(server.pid)[0] ?? 0, "SIGKILL");
    const reply = await load;
    expect([reply.status, errorOf(reply)]).toEqual([400, expect.stringContaining("signal SIGKILL")]);
    open(server, "killed");
    expect((await server.api.load("killed")).status).toBe(200);
    expect(numbersOf(await server.api.infer("killed", question))).toEqual([2]);
  });

  it("a server whose directory of sockets was cleaned away goes on, loads and restarts", async () => {
    await start([offset("before", 1), offset("after", 2)], [...EXPLICIT, "--load-model=before"]);
    const { api } = server;
    rmSync(join(server.directory, "tmp"), { recursive: true });
    expect((await api.load("after")).status).toBe(200);
    const pid = await api.runnerPid("before");
    rmSync(join(server.directory, "tmp"), { recursive: true });
    process.kill(pid, "SIGKILL");
    await waitUntil("it is back", async () => ((await api.runnerPid("before")) || pid) !== pid);
    expect(numbersOf(await api.infer("before", rows(0)))).toEqual([1]);
    rmSync(join(server.directory, "tmp"), { recursive: true });
    const model = offset("after", 5).files["1/model.onnx"] as Uint8Array;
    const config = JSON.stringify({ name: "after", backend: "onnxruntime", max_batch_size: 32 });
    const files = { config, "file:1/model.onnx": Buffer.from(model).toString("base64") };
    expect((await api.load("after", files)).status).toBe(200);
    expect(numbersOf(await api.infer("after", rows(0)))).toEqual([5]);
  });

  it("a load that hangs does not hold up those of other models in POLL mode", async () => {
    await start([offset("steady", 1)], ["--model-control-mode=poll", "--repository-poll-secs=1"]);
    writeModel(server.repository, gated("hung"));
    await waitUntil("it loads", async () => (await stage("hung").catch(() => "")) === "loading");
    writeModel(server.repository, offset("later", 5));
    await waitUntil(
      "the other is served",
      async () => (await server.api.infer("later", rows(0))).status === 200,
      8_000,
    );
    rmSync(join(server.repository, "steady"), { recursive: true });
    await waitUntil(
      "what is gone is unloaded",
      async () => (await server.api.infer("steady", rows(0))).status !== 200,
      8_000,
    );
    open(server, "hung");
    await waitUntil("it serves in the end", async () => (await server.api.infer("hung", question)).status === 200);
  });
});

describe("versions", () => {
  it("versions chosen by hand are those that an ensemble brings up", async () => {
    await start([two("part", 1, 2), ensemble("whole", io, [one("part")], { maxBatchSize: 8 })], EXPLICIT);
    const { api } = server;
    const pin = await api.call("/nereid/v1/models/part/pin", { method: "PUT", body: '{"versions":["1"]}' });
    expect(pin.status).toBe(200);
    expect(await servedOf("part")).toEqual(["1"]);
    expect((await api.unload("part")).status).toBe(200);
    await waitUntil("it has gone", async () => childrenOf(server.pid).length === 0);
    expect((await api.load("whole")).status).toBe(200);
    expect(await servedOf("part")).toEqual(["1"]);
    expect(numbersOf(await api.infer("whole", rows(0)))).toEqual([1]);
  });
});

describe("on demand", () => {
  it("two models that do not fit together and are asked for at once are both answered", async () => {
    await start([offset("left", 1), offset("right", 2)], ON_DEMAND, `--model-memory-budget-bytes=${130 * MB}`);
    const ask = (model: string) => server.api.infer(model, rows(0));
    for (let round = 0; round < 3; round++) {
      const [left, right] = await Promise.all([ask("left"), ask("right")]);
      expect([left, right].map((reply) => numbersOf(reply))).toEqual([[1], [2]]);
    }
  });

  it("a model that requests use stays when the ensemble that brought it is evicted", async () => {
    const slow = gated("part");
    await start([slow, ensemble("whole", io, [one("part")])], ON_DEMAND, "--load-on-demand-idle-secs=1");
    const { api } = server;
    open(server, "part");
    expect(numbersOf(await api.infer("whole", question))).toEqual([2]);
    const pid = await api.runnerPid("part");
    const statuses: number[] = [];
    const evicted = () => server.log.some(({ msg, model }) => msg === "model evicted" && model === "whole");
    await waitUntil("the ensemble is evicted", async () => {
      statuses.push((await api.infer("part", question)).status);
      return evicted();
    });
    for (let more = 0; more < 20; more++) statuses.push((await api.infer("part", question)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await api.runnerPid("part")).toBe(pid);
  });

  it("what a killed process took stays reserved for its restart", async () => {
    await start(
      [offset("person", 1), offset("other", 2)],
      [...EXPLICIT, "--load-model=person"],
      `--model-memory-budget-bytes=${150 * MB}`,
    );
    const { api } = server;
    const fits = await api.load("other");
    expect(fits.status).toBe(503);
    let pid = await api.runnerPid("person");
    // A few times, so that the wait for the restart grows.
    for (let kill = 0; kill < 4; kill++) {
      process.kill(pid, "SIGKILL");
      if (kill < 3)
        pid = await waitUntil("it is back", async () => {
          const now = await api.runnerPid("person");
          return now !== 0 && now !== pid && now;
        });
    }
    await waitUntil("it is down", async () => !(await api.ready("person")));
    expect((await api.load("other")).status).toBe(503);
    await waitUntil("it is back", async () => api.ready("person"));
  });
});

describe("on demand, ensembles", () => {
  it("what one is just being loaded of is not evicted with another that uses it", async () => {
    const shared = offset("shared", 1);
    await start(
      [
        shared,
        offset("extra", 10),
        offset("other", 3),
        ensemble("first", io, [one("shared")], { maxBatchSize: 8 }),
        ensemble("second", io, twice("shared", "extra"), { maxBatchSize: 8 }),
      ],
      ON_DEMAND,
      `--model-memory-budget-bytes=${230 * MB}`,
    );
    const { api } = server;
    expect(numbersOf(await api.infer("first", rows(0)))).toEqual([1]);
    expect(numbersOf(await api.infer("other", rows(0)))).toEqual([3]);
    expect(numbersOf(await api.infer("second", rows(0)))).toEqual([11]);
    expect(server.log.filter(({ msg }) => msg === "model evicted").map(({ model }) => model)).toEqual(["other"]);
  });

  it("one that does not load leaves no model behind for good", async () => {
    const broken: TestModel = {
      name: "broken",
      files: { "config.pbtxt": offset("", 1).files["config.pbtxt"] ?? "", "1/model.onnx": "no" },
    };
    await start(
      [offset("good", 1), broken, ensemble("whole", io, twice("good", "broken"), { maxBatchSize: 8 })],
      ON_DEMAND,
      "--load-on-demand-idle-secs=1",
    );
    expect((await server.api.infer("whole", rows(0))).status).toBe(503);
    await waitUntil("all processes have ended", () => childrenOf(server.pid).length === 0, 8_000);
    expect(await server.api.ready()).toBe(true);
  });

  it("one whose model a person unloads keeps none of its others for good", async () => {
    await start(
      [offset("a", 1), offset("b", 1), ensemble("whole", io, twice("a", "b"), { maxBatchSize: 8 })],
      ON_DEMAND,
      "--load-on-demand-idle-secs=1",
    );
    expect(numbersOf(await server.api.infer("whole", rows(0)))).toEqual([2]);
    expect((await server.api.unload("b")).status).toBe(200);
    await waitUntil("all processes have ended", () => childrenOf(server.pid).length === 0, 8_000);
    expect(await server.api.ready()).toBe(true);
    expect((await server.api.load("b")).status).toBe(200);
    expect(numbersOf(await server.api.infer("whole", rows(0)))).toEqual([2]);
  });

  it("three that do not fit together and are asked for all the time are all answered", async () => {
    await start([offset("a", 1), offset("b", 2), offset("c", 3)], ON_DEMAND, `--model-memory-budget-bytes=${130 * MB}`);
    const answers = await Promise.all(
      ["a", "b", "c"].map(async (model) => {
        const statuses: number[] = [];
        for (let round = 0; round < 5; round++) statuses.push((await server.api.infer(model, rows(0))).status);
        return statuses;
      }),
    );
    expect(answers.flat()).toEqual(Array.from({ length: 15 }, () => 200));
  });
});

describe("the event stream", () => {
  it("does not hold up the end of the server", async () => {
    await start([offset("m", 1)], EXPLICIT);
    const abort = new AbortController();
    const stream = server.api.call("/nereid/v1/events", { signal: abort.signal }).catch(() => undefined);
    await server.api.load("m");
    expect((await server.stop()).code).toBe(0);
    abort.abort();
    await stream;
  });
});
