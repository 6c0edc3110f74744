import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { childrenOf } from "../testing/processes.ts";
import { fp32, repeater, script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

const VALUE = `max_batch_size: 0
input [ ${fp32("VALUE")} ]
output [ ${fp32("VALUE_OUT")} ]`;

/** Passes its input on to `plus_one` (batching, so with a dimension more), and adds up what comes back. */
const summing = script(
  "summing",
  VALUE,
  `export async function execute(requests, { infer }) {
  return Promise.all(requests.map(async ({ inputs: { VALUE }, parameters, signal }) => {
    const { outputs } = await infer({
      model: parameters.target ?? "plus_one",
      inputs: { [parameters.input ?? "QUESTION"]: { shape: [1, VALUE.data.length], data: VALUE.data } },
      signal,
    });
    const [answer] = Object.values(outputs);
    return { outputs: { VALUE_OUT: { shape: [1], data: [answer.data.reduce((sum, value) => sum + value, 0)] } } };
  }));
}`,
);

/** Gives its own input on as it is, and the answer of that back. */
const forwarding = script(
  "forwarding",
  VALUE,
  `export async function execute(requests, { infer }) {
  const [{ inputs: { VALUE } }] = requests;
  const first = await infer({ model: "echo", inputs: { VALUE } });
  const second = await infer({ model: "echo", inputs: { VALUE: first.outputs.VALUE_OUT } });
  return [{ outputs: { VALUE_OUT: second.outputs.VALUE_OUT } }];
}`,
);

const echo = script(
  "echo",
  VALUE,
  `export function execute(requests) {
  return requests.map(({ inputs: { VALUE } }) => {
    const data = Float32Array.from(VALUE.data);
    VALUE.data.fill(-1); // What it does to its input must not reach the caller.
    return { outputs: { VALUE_OUT: { shape: VALUE.shape, data } } };
  });
}`,
);

/** Sums the answers of a decoupled model; stops after the third when told so. */
const counting = script(
  "counting",
  `max_batch_size: 0
input [ { name: "COUNT" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "SEEN" data_type: TYPE_INT32 dims: [ 1 ] } ]`,
  `export async function execute([{ inputs: { COUNT }, parameters }], { stream }) {
  let seen = 0;
  const value = { shape: [1], data: new Float32Array([1]) };
  for await (const { outputs } of stream({ model: parameters.target ?? "repeat", inputs: { COUNT, VALUE: value } })) {
    seen += 1;
    if (parameters.stop === seen) break;
  }
  return [{ outputs: { SEEN: { shape: [1], data: [seen] } } }];
}`,
);

const managing = script(
  "managing",
  VALUE,
  `let words, depth, lengths;
export function initialize({ metric, log }) {
  words = metric({ name: "test_words", description: "Words", labels: { model: "managing" } });
  depth = metric({ name: "test_depth", description: "Depth", kind: "GAUGE" });
  lengths = metric({ name: "test_lengths", description: "Lengths", kind: "HISTOGRAM", buckets: [1, 10] });
  log("initialized", "WARNING");
}
export async function execute([{ inputs: { VALUE }, parameters }], { isReady, load, unload, metric }) {
  const { action, model } = parameters;
  if (action === "unload") await unload(model);
  if (action === "load") await load(model, { config: { max_batch_size: 4, backend: "onnxruntime" } });
  if (action === "metric") {
    await words.increment(VALUE.data[0]);
    await depth.set(7);
    await lengths.observe(VALUE.data[0]);
    return [{ outputs: { VALUE_OUT: { shape: [1], data: [await words.value()] } } }];
  }
  if (action === "bad-metric") await metric({ name: "nv_mine", description: "" }).increment();
  return [{ outputs: { VALUE_OUT: { shape: [1], data: [(await isReady(model)) ? 1 : 0] } } }];
}`,
);

/** The examples of docs/scripts.md, word for word: lengths of texts, and one that calls it. */
const guide = readFileSync(fileURLToPath(new URL("../../../../docs/scripts.md", import.meta.url)), "utf8");
const [, lengths = "", verdict = ""] = /```js\n([\s\S]+?)```[\s\S]+?```js\n([\s\S]+?)```/.exec(guide) ?? [];
const documented = [
  script("lengths", "", lengths),
  script(
    "verdict",
    `max_batch_size: 8
input [ { name: "TEXT" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "VERDICT" data_type: TYPE_STRING dims: [ 1 ] } ]`,
    verdict,
  ),
];

const moody = script(
  "moody",
  VALUE,
  `import { existsSync } from "node:fs";
export function execute(requests) {
  return requests.map(({ inputs: { VALUE } }) => ({ outputs: { VALUE_OUT: { shape: VALUE.shape, data: VALUE.data } } }));
}
export async function isReady() {
  return !existsSync(new URL("../../../moody", import.meta.url));
}`,
);

beforeAll(async () => {
  server = await startTestServer({
    models: [
      summing,
      forwarding,
      echo,
      counting,
      managing,
      moody,
      ...documented,
      repeater("repeat"),
      offset("plus_one", 1),
      identity("spare"),
    ],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

const floats = (...data: number[]) => [tensor({ name: "VALUE", datatype: "FP32", shape: [data.length], data })];
type Parameters = Readonly<Record<string, string | number>>;
const ask = async (model: string, data: readonly number[], parameters: Parameters = {}) => {
  const response = await http.infer(model, { inputs: floats(...data), parameters });
  return [...outputValues(response, "VALUE_OUT", "FP32")];
};

describe("a script that calls other models", () => {
  it("gets their answers, many at a time", async () => {
    const sums = await Promise.all(Array.from({ length: 50 }, (_, at) => ask("summing", [at, 1])));
    expect(sums).toEqual(Array.from({ length: 50 }, (_, at) => [at + 3]));
  });

  it("is what the guide shows", async () => {
    const verdictOf = async (text: string) => {
      const inputs = [tensor({ name: "TEXT", datatype: "BYTES", shape: [1, 1], data: [text] })];
      const [found] = outputValues(await http.infer("verdict", { inputs }), "VERDICT", "BYTES");
      return Buffer.from(found ?? "").toString();
    };
    expect(await verdictOf("sea")).toBe("short");
    expect(await verdictOf("ocean")).toBe("long");
  });

  it("gives its own inputs on without letting others change them, and answers it got", async () => {
    expect(await ask("forwarding", [3, 4, 5])).toEqual([3, 4, 5]);
  });

  it("gets every answer of a decoupled model, and may leave before the last", async () => {
    const count = (value: number) => [tensor({ name: "COUNT", datatype: "INT32", shape: [1], data: [value] })];
    const seen = async (value: number, parameters: Parameters = {}) => {
      const response = await http.infer("counting", { inputs: count(value), parameters });
      return outputValues(response, "SEEN", "INT32")[0];
    };
    expect(await seen(40)).toBe(40);
    expect(await seen(0)).toBe(0);
    expect(await seen(1000, { stop: 3 })).toBe(3);
    // What it left is over: the model takes the next.
    expect(await seen(2)).toBe(2);
  });

  it.each([
    [
      "a model that is not there",
      { target: "nobody" },
      /Failed for execute the inference request. Model 'nobody' is not ready/,
    ],
    ["an input that the model does not have", { input: "y" }, /unexpected inference input 'y' for model 'plus_one'/],
    ["a decoupled model asked for one answer", { target: "repeat" }, /Model repeat is using the decoupled/],
  ])("is told of %s", async (_what, parameters, words) => {
    await expect(ask("summing", [1], parameters)).rejects.toThrow(words);
    expect(await ask("summing", [1])).toEqual([2]);
  });

  it("fails with an error that can be retried when the model it waits for dies, and goes on", async () => {
    const pidOf = async (name: string) => (await http.model(name)).versions[0]?.runner?.pid ?? 0;
    const before = await pidOf("plus_one");
    process.kill(before, "SIGKILL");
    await waitUntil(
      "the model is back",
      async () => (await pidOf("plus_one")) !== before && (await http.modelReady("plus_one")),
    );
    expect(await ask("summing", [1])).toEqual([2]);
    expect(childrenOf(server.pid)).not.toContain(before);
  });

  it("loads, unloads and asks for readiness", async () => {
    expect(await ask("managing", [0], { action: "is-ready", model: "spare" })).toEqual([1]);
    expect(await ask("managing", [0], { action: "unload", model: "spare" })).toEqual([0]);
    expect(await ask("managing", [0], { action: "load", model: "spare" })).toEqual([1]);
    expect((await http.modelConfig("spare")).max_batch_size).toBe(4);
    expect(await ask("managing", [0], { action: "is-ready", model: "nobody" })).toEqual([0]);
  });

  it("has metrics of its own on the metrics page, for as long as it is loaded", async () => {
    expect(await ask("managing", [3], { action: "metric" })).toEqual([3]);
    expect(await ask("managing", [2], { action: "metric" })).toEqual([5]);
    const page = await readMetricsPage(server);
    expect(page.value('test_words{model="managing"}')).toBe(5);
    expect(page.value("test_depth")).toBe(7);
    expect(page.value('test_lengths_bucket{le="10"}')).toBe(2);
    expect(server.log).toContainEqual(expect.objectContaining({ msg: "initialized" }));
    await expect(ask("managing", [1], { action: "bad-metric", model: "x" })).rejects.toThrow("the server's own");
    await http.unloadModel("managing");
    await waitUntil("its metrics are gone", async () => !(await readMetricsPage(server)).text.includes("test_words"));
    await http.loadModel("managing");
  });

  it("tells of its readiness over both protocols, and stays loaded when it says no", async () => {
    const { writeFileSync, rmSync } = await import("node:fs");
    expect(await http.modelReady("moody")).toBe(true);
    writeFileSync(`${server.directory}/moody`, "");
    expect(await http.modelReady("moody")).toBe(false);
    expect(await grpc.modelReady("moody")).toBe(false);
    expect(await ask("moody", [1])).toEqual([1]);
    rmSync(`${server.directory}/moody`);
    expect(await grpc.modelReady("moody")).toBe(true);
  });
});
