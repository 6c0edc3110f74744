import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processExists } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, whole } from "../testing/test-api.ts";
import { allocationBomb, identity, loop, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const ENDLESS = 1e15;
const GIBIBYTE = 2 ** 30;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      allocationBomb("bomb", { memory_limit_bytes: String(GIBIBYTE) }),
      loop("timed", { execution_timeout_ms: "300" }),
      loop("endless"),
      identity("good"),
      ...BROKEN.map(({ model }) => model),
    ],
    mode: [
      "--model-control-mode=explicit",
      ...["bomb", "timed", "endless", "good"].map((name) => `--load-model=${name}`),
    ],
    args: ["--exit-timeout-secs=1"],
  });
});
afterAll(() => server.dispose());

const expectGoodModel = async () =>
  expect(numbersOf(await server.api.infer("good", floats("INPUT_FP32", [[42]])))).toEqual([42]);

describe("a model that asks for 64 GiB", () => {
  it("fails that request and nothing else", async () => {
    const { api } = server;
    const reply = await api.infer("bomb", whole("GIBIBYTES", 64));
    expect([500, 503]).toContain(reply.status);
    expect(errorOf(reply)).toMatch(/alloc|memory/i);
    await expectGoodModel();
    await waitUntil("the model is ready", () => api.ready("bomb"));
    expect(await api.ready()).toBe(true);
  });
});

describe("a model that never ends", () => {
  it("is ended after its execution_timeout_ms; the request is answered 503 and the model starts again", async () => {
    const { api } = server;
    const held = api.infer("timed", whole("TURNS", ENDLESS));
    await waitUntil("it executes", async () => (await api.model("timed")).versions[0]?.instances[0]?.busy);
    const queued = [5, 6, 7].map((turns) => api.infer("timed", whole("TURNS", turns)));
    const reply = await held;
    expect(reply.status).toBe(503);
    expect(errorOf(reply)).toContain("an execution took longer than 300 ms");
    // What only waited behind it is not lost with it.
    expect((await Promise.all(queued)).map(numbersOf)).toEqual([[5], [6], [7]]);
    await waitUntil("the model is ready again", () => api.ready("timed"));
    expect(numbersOf(await api.infer("timed", whole("TURNS", 4)))).toEqual([4]);
    await expectGoodModel();
  });

  it("is unloaded within the drain deadline", async () => {
    const { api } = server;
    const pid = await api.runnerPid("endless");
    const held = api.infer("endless", whole("TURNS", ENDLESS));
    await waitUntil("the request executes", async () => (await api.model("endless")).versions[0]?.instances[0]?.busy);
    expect((await api.unload("endless")).status).toBe(200);
    expect((await api.index()).find(({ name }) => name === "endless")?.state).toBe("UNLOADING");
    expect((await held).status).toBe(503);
    await waitUntil("the process has ended", () => !processExists(pid));
    await waitUntil(
      "the index says so",
      async () => (await api.index()).find(({ name }) => name === "endless")?.reason === "unloaded",
    );
    // The deadline here is one second; a busy machine may take longer to say so, but not for ever.
    expect((await api.load("endless")).status).toBe(200);
    expect(numbersOf(await api.infer("endless", whole("TURNS", 2)))).toEqual([2]);
  });
});

const good = identity("").files["1/model.onnx"];
const goodBytes = typeof good === "string" || good === undefined ? new Uint8Array() : good;
const randomBytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 2654435761) >>> 13);
const broken = (name: string, content: Uint8Array): TestModel => ({
  name,
  files: { "config.pbtxt": 'backend: "onnxruntime"\n', "1/model.onnx": content },
});
const BROKEN = [
  { title: "of random bytes", model: broken("random", randomBytes) },
  { title: "cut in half", model: broken("truncated", goodBytes.subarray(0, goodBytes.byteLength / 2)) },
  { title: "without a byte", model: broken("empty", new Uint8Array()) },
  { title: "of text", model: broken("prose", new TextEncoder().encode("<html>404 Not Found</html>\n")) },
];

describe("a model file", () => {
  it.each(BROKEN)("$title is refused with 400 and a text, and the server stays up", async ({ model }) => {
    const { api } = server;
    const reply = await api.load(model.name);
    expect(reply.status).toBe(400);
    const text = errorOf(reply);
    expect(text.startsWith(`load failed for model '${model.name}': version 1 is at UNAVAILABLE state: `)).toBe(true);
    expect(text.endsWith(";\n")).toBe(true);
    expect(text.length).toBeGreaterThan(90);
    expect((await api.index()).find(({ name }) => name === model.name)).toMatchObject({ state: "UNAVAILABLE" });
    expect((await api.infer(model.name, floats("INPUT_FP32", [[1]]))).status).toBe(404);
    await expectGoodModel();
  });

  it("that is missing is refused with 400 and its name", async () => {
    const reply = await server.api.load("random", {
      config: '{"backend":"onnxruntime","default_model_filename":"x.onnx"}',
    });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("unable to find 'x.onnx'");
  });
});
