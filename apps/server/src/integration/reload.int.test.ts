import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childrenOf, processExists } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import { identity, offset, replaceFile } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [offset("swapped", 1), offset("raced", 1), identity("stampede")] });
});
afterAll(() => server.dispose());

const modelFile = (model: string) => join(server.repository, model, "1/model.onnx");
const offsetFile = (by: number) => offset("", by).files["1/model.onnx"] ?? "";
const ask = async (model: string, value = 0) =>
  numbersOf(await server.api.infer(model, floats("QUESTION", [[value]])))[0];

describe("a reload", () => {
  it("under load loses nothing, switches once, and never mixes old and new in one answer", async () => {
    const { api } = server;
    let running = true;
    const seen = new Set<number>();
    const client = async (number: number) => {
      let latest = 1;
      while (running) {
        const answer = numbersOf(
          await api.infer("swapped", floats("QUESTION", [[number], [number], [number], [number]])),
        );
        const offsets = new Set(answer.map((value) => value - number));
        expect(offsets.size).toBe(1);
        const [by = 0] = offsets;
        // A client that waits for its answer before it asks again can never fall back to an older copy.
        expect(by).toBeGreaterThanOrEqual(latest);
        latest = by;
        seen.add(by);
      }
    };
    const clients = Promise.all(Array.from({ length: 24 }, (_, number) => client(number * 100)));
    for (const by of [2, 3, 4]) {
      replaceFile(modelFile("swapped"), offsetFile(by));
      expect((await api.load("swapped")).status).toBe(200);
      expect(await ask("swapped")).toBe(by);
    }
    running = false;
    await clients;
    expect([...seen].sort()).toEqual([1, 2, 3, 4]);
  });

  it("that fails answers why and leaves the old copy serving", async () => {
    const { api } = server;
    const before = await ask("swapped");
    const pid = await api.runnerPid("swapped");
    replaceFile(modelFile("swapped"), "this is not a model");
    const reply = await api.load("swapped");
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatch(
      /^load failed for model 'swapped': version 1 is at UNAVAILABLE state: Invalid argument: /,
    );
    expect(await ask("swapped")).toBe(before);
    expect(await api.runnerPid("swapped")).toBe(pid);
    expect(await api.ready()).toBe(true);
    expect((await api.model("swapped")).lastLoadError).toContain("load failed for model 'swapped'");

    replaceFile(modelFile("swapped"), offsetFile(9));
    expect((await api.load("swapped")).status).toBe(200);
    expect(await ask("swapped")).toBe(9);
    await waitUntil("the old runner has ended", () => !processExists(pid));
  });

  it("that failed does not come in through a restart: a killed runner stays down until the model is loaded again", async () => {
    const { api } = server;
    const before = await ask("raced");
    replaceFile(modelFile("raced"), offsetFile(77));
    process.kill(await api.runnerPid("raced"), "SIGKILL");
    await waitUntil("the model says why it is down", async () =>
      ((await api.model("raced")).versions[0]?.reason ?? "").includes("its files changed since it was loaded"),
    );
    expect((await api.infer("raced", floats("QUESTION", [[0]]))).status).toBe(503);
    expect((await api.load("raced")).status).toBe(200);
    expect(await ask("raced")).toBe(77);
    expect(before).not.toBe(77);
  });

  it("asked for while another load of the model runs still brings files that changed in between", async () => {
    const { api } = server;
    const config = join(server.repository, "raced/config.pbtxt");
    const largestBatch = async () => (await api.model("raced")).maxBatchSize;
    replaceFile(modelFile("raced"), offsetFile(2));
    const first = api.load("raced");
    // The first load has read the configuration once it starts a runner for it.
    await waitUntil("the first load has begun", () => childrenOf(server.pid).length > 3);
    replaceFile(config, 'backend: "onnxruntime"\nmax_batch_size: 5\n');
    expect((await api.load("raced")).status).toBe(200);
    expect(await largestBatch()).toBe(5);
    expect((await first).status).toBe(200);
    expect(await largestBatch()).toBe(5);
  });

  it("of unchanged files does nothing", async () => {
    const { api } = server;
    const pid = await api.runnerPid("raced");
    expect((await api.load("raced")).status).toBe(200);
    expect(await api.runnerPid("raced")).toBe(pid);
  });
});

describe("100 loads of one model at once", () => {
  it("are one load", async () => {
    const { api } = server;
    await api.unload("stampede");
    await waitUntil("its runner has ended", () => childrenOf(server.pid).length === 2);
    const loads = () => server.log.filter(({ msg, model }) => msg === "model loaded" && model === "stampede").length;
    const before = loads();
    const runners = new Set<number>();
    let loading = true;
    const watch = waitUntil("all loads have ended", () => {
      for (const pid of childrenOf(server.pid)) runners.add(pid);
      return !loading;
    });
    const replies = await Promise.all(Array.from({ length: 100 }, () => api.load("stampede")));
    loading = false;
    await watch;
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(numbersOf(await api.infer("stampede", floats("INPUT_FP32", [[7]])))).toEqual([7]);
    expect(runners.size).toBe(3);
    await waitUntil("the load is in the log", () => loads() > before);
    expect(loads()).toBe(before + 1);
  });
});
