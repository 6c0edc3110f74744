import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse, type Reply } from "../testing/test-api.ts";
import { offset, removeModel, replaceFile, writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

interface Made {
  readonly name: string;
  readonly of: string;
  readonly versions: readonly string[];
  readonly expiresAt: string;
}

interface Listed extends Made {
  readonly config: unknown;
  readonly lowPriority: boolean;
  readonly inUse: string | null;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: ["base", "gone", "changed", "taken"].map((name) => offset(name, 1)) });
});
afterAll(() => server?.dispose());

const add = (of: string, body: unknown): Promise<Reply> => server.api.post(`/nereid/v1/models/${of}/candidates`, body);
const remove = (name: string) => server.api.call(`/nereid/v1/candidates/${name}`, { method: "DELETE" });
const listed = async () =>
  parse<{ candidates: readonly Listed[] }>(await server.api.call("/nereid/v1/candidates")).candidates;
const ask = async (model: string) => numbersOf(await server.api.infer(model, floats("QUESTION", [[0]])))[0];
/** Directories of candidates, wherever they may stand. */
const staged = () =>
  [join(server.directory, "tmp"), join(server.repository, ".nereid-staging")]
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => readdirSync(directory, { recursive: true, encoding: "utf8" }))
    .filter((name) => /candidate-\d+-\w{6}$/.test(name));

describe("a candidate", () => {
  it("answers beside its model on every front end, with its own configuration, and from the same bytes on disk", async () => {
    const config = { max_batch_size: 4, dynamic_batching: { max_queue_delay_microseconds: 100 } };
    const made = parse<Made>(await add("base", { name: "base_1", config }));
    expect(made).toMatchObject({ name: "base_1", of: "base", versions: ["1"] });
    expect(Date.parse(made.expiresAt)).toBeGreaterThan(Date.now());
    expect([await ask("base"), await ask("base_1")]).toEqual([1, 1]);
    const of = async (model: string) =>
      parse<Record<string, unknown>>(await server.api.call(`/v2/models/${model}/config`));
    expect(await of("base_1")).toMatchObject({
      name: "base_1",
      max_batch_size: 4,
      dynamic_batching: config.dynamic_batching,
    });
    expect(await of("base")).toMatchObject({ name: "base", max_batch_size: 32 });
    expect((await server.api.statistics("base_1")).inference_count).toBe(1);
    expect((await server.api.index()).find(({ name }) => name === "base_1")).toMatchObject({ state: "READY" });
    const grpc = new GrpcClient({ address: server.grpcAddress });
    const input = tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [0] });
    expect((await grpc.infer("base_1", { inputs: [input] })).modelName).toBe("base_1");
    await grpc.close();
    expect(await listed()).toEqual([
      expect.objectContaining({ name: "base_1", of: "base", config, lowPriority: true, inUse: null }),
    ]);
    const status = parse<{ candidateOf: string | null }>(await server.api.call("/nereid/v1/models/base_1"));
    expect(status.candidateOf).toBe("base");
    expect(statSync(join(server.repository, "base", "1", "model.onnx")).nlink).toBe(2);
  });

  it("keeps a low priority with all its threads, and answers all the same", async () => {
    const pid = await server.api.runnerPid("base_1");
    const nice = readdirSync(`/proc/${pid}/task`).map((tid) =>
      Number(readFileSync(`/proc/${pid}/task/${tid}/stat`, "latin1").split(") ")[1]?.split(" ")[16]),
    );
    expect(new Set(nice)).toEqual(new Set([10]));
    expect(await ask("base_1")).toBe(1);
  });

  it("lives on when it is asked for again, and is made anew with another configuration", async () => {
    const pid = await server.api.runnerPid("base_1");
    const config = { max_batch_size: 4, dynamic_batching: { max_queue_delay_microseconds: 100 } };
    parse(await add("base", { name: "base_1", config, ttlSeconds: 60 }));
    expect(await server.api.runnerPid("base_1")).toBe(pid);
    parse(
      await add("base", { name: "base_1", config: { maxBatchSize: 2, dynamic_batching: null }, lowPriority: false }),
    );
    const fresh = await server.api.runnerPid("base_1");
    expect(fresh).not.toBe(pid);
    const now = parse<Record<string, unknown>>(await server.api.call("/v2/models/base_1/config"));
    expect([now["max_batch_size"], "dynamic_batching" in now]).toEqual([2, false]);
    const bad = await add("base", { name: "base_1", config: { max_batch_size: -3 } });
    expect(bad.status).toBe(400);
    expect([await ask("base_1"), await server.api.runnerPid("base_1")]).toEqual([1, fresh]);
  });

  it("is removed with its files, and nothing is known of it then", async () => {
    expect((await remove("base_1")).status).toBe(204);
    expect([await listed(), staged()]).toEqual([[], []]);
    expect((await server.api.index()).map(({ name }) => name)).not.toContain("base_1");
    expect((await server.api.infer("base_1", floats("QUESTION", [[0]]))).status).toBe(404);
    expect((await remove("base_1")).status).toBe(404);
    expect(await server.api.ready()).toBe(true);
  });

  it("serves on when its model is unloaded and its directory removed, and comes back after a crash", async () => {
    parse(await add("gone", { name: "stays", config: {} }));
    await server.api.unload("gone");
    removeModel(server.repository, "gone");
    expect(await ask("stays")).toBe(1);
    process.kill(await server.api.runnerPid("stays"), "SIGKILL");
    await waitUntil("it is back", async () => (await server.api.model("stays")).versions[0]?.runner?.restarts === 1);
    expect(await ask("stays")).toBe(1);
    expect((await server.api.unload("stays")).status).toBe(200);
    expect(staged()).toEqual([]);
  });
});

describe("what is refused", () => {
  it.each([
    [{ name: "x" }, 400, /'config' must be an object/],
    [{ config: {} }, 400, /'name' must be/],
    [{ name: "../x", config: {} }, 400, /path traversal/],
    [{ name: "x", config: {}, ttlSeconds: 59 }, 400, /from 60 to 86400/],
    [{ name: "x", config: {}, lowPriority: 1 }, 400, /'lowPriority'/],
    [{ name: "taken", config: {} }, 409, /there is a model 'taken' already/],
    [{ name: "x", config: { max_batch_size: "no" } }, 400, /max_batch_size/],
    [{ name: "x", config: { no_such_field: 1 } }, 400, /no_such_field/],
  ])("%j", async (body, status, message) => {
    const reply = await add("base", body);
    expect([reply.status, errorOf(reply)]).toEqual([status, expect.stringMatching(message)]);
    expect([await listed(), staged()]).toEqual([[], []]);
    expect(await server.api.ready()).toBe(true);
  });

  it("a candidate of what is not served, of a candidate, and of files that are no longer those that serve", async () => {
    expect((await add("nobody", { name: "x", config: {} })).status).toBe(404);
    parse(await add("base", { name: "first", config: {} }));
    expect(errorOf(await add("first", { name: "second", config: {} }))).toMatch(/is a candidate itself/);
    expect(errorOf(await add("taken", { name: "first", config: {} }))).toMatch(/is made of model 'base'/);
    expect(errorOf(await server.api.load("first"))).toMatch(/is a candidate of 'base'/);
    await remove("first");
    replaceFile(join(server.repository, "changed", "1", "model.onnx"), offset("", 7).files["1/model.onnx"] ?? "");
    expect(errorOf(await add("changed", { name: "x", config: {} }))).toMatch(/changed since it was loaded/);
    expect((await server.api.load("changed")).status).toBe(200);
    parse(await add("changed", { name: "x", config: {} }));
    expect(await ask("x")).toBe(7);
    await remove("x");
  });

  it("a ninth, until one is removed", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `many_${index}`);
    const made = await Promise.all(names.map((name) => add("base", { name, config: {} })));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await add("base", { name: "many_8", config: {} })).status).toBe(429);
    await remove("many_0");
    parse(await add("base", { name: "many_8", config: {} }));
    await Promise.all(["many_8", ...names.slice(1)].map(remove));
    expect([await listed(), staged()]).toEqual([[], []]);
  });
});

it("outlives the looks at the repository in POLL mode", async () => {
  const polled = await startTestServer({
    models: [offset("base", 1)],
    mode: ["--model-control-mode=poll", "--repository-poll-secs=1"],
  });
  try {
    const reply = await polled.api.post("/nereid/v1/models/base/candidates", { name: "trial", config: {} });
    expect(reply.status).toBe(200);
    // A model that comes later was seen by a later look.
    writeModel(polled.repository, offset("later", 2));
    await waitUntil("the repository was looked at", () => polled.api.ready("later"));
    expect(numbersOf(await polled.api.infer("trial", floats("QUESTION", [[0]])))).toEqual([1]);
  } finally {
    await polled.dispose();
  }
});
