import { accumulatorConfig, accumulatorModel, RAGGED_CONFIG, raggedModel } from "@nereid/model-authoring";
import { afterEach, describe, expect, it } from "vitest";
import { fp32, script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { floats, parse } from "../testing/test-api.ts";
import { identity, replaceFile, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server.dispose());

const sample = (name: string, inputs: string, more = "batch_size: 1") =>
  `model_warmup { name: "${name}" ${more} inputs { ${inputs} } }`;
const input = (name: string, value: string) => `key: "${name}" value: { ${value} }`;

/** Tells what it was executed with before: for each execution the number of requests, and the numbers of the first. */
const witness = (name: string, config: string, files: TestModel["files"] = {}): TestModel => {
  const model = script(
    name,
    `max_batch_size: 8
input [ ${fp32("X")} ]
output [ { name: "SEEN" data_type: TYPE_STRING dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
${config}`,
    `const seen = [];
export function execute(requests) {
  const before = JSON.stringify(seen);
  seen.push([requests.length, [...requests[0].inputs.X.data]]);
  return requests.map(() => ({ outputs: { SEEN: { shape: [1, 1], data: [before] } } }));
}`,
  );
  return { name, files: { ...model.files, ...files } };
};

async function seenBy(model: string): Promise<readonly (readonly [number, readonly number[]])[]> {
  const reply = await server.api.infer(model, floats("X", [[7]]));
  return JSON.parse(parse<{ outputs: { data: string[] }[] }>(reply).outputs[0]?.data[0] ?? "");
}

const loadErrorOf = async (model: string) => (await server.api.model(model)).lastLoadError;

describe("model_warmup", () => {
  it("executes the samples in order before the model serves, and counts none of it", async () => {
    const zeros = sample(
      "zeros",
      input("X", "data_type: TYPE_FP32 dims: [ 2 ] zero_data: true"),
      "batch_size: 3 count: 2",
    );
    const file = sample("file", input("X", 'data_type: TYPE_FP32 dims: [ 1 ] input_data_file: "one"'));
    const none = sample("none", input("X", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"), "batch_size: 0");
    const random = sample("random", input("X", "data_type: TYPE_FP32 dims: [ 1 ] random_data: true"));
    server = await startTestServer({
      models: [
        witness("m", [zeros, file, none, random].join("\n"), {
          "warmup/one": new Uint8Array(new Float32Array([1.5]).buffer),
        }),
      ],
    });
    expect(await server.api.statistics("m")).toMatchObject({ inference_count: 0, execution_count: 0 });
    const seen = await seenBy("m");
    expect(seen.slice(0, 3)).toEqual([
      [3, [0, 0]],
      [3, [0, 0]],
      [1, [1.5]],
    ]);
    expect(seen).toHaveLength(4);
    expect(seen[3]?.[1][0]).toBeGreaterThan(0);
    const { inference_stats, execution_count } = await server.api.statistics("m");
    expect([inference_stats.success.count, inference_stats.fail.count, execution_count]).toEqual([1, 0, 1]);
    expect((await server.api.model("m")).warnings).toEqual([]);
  });

  it("warms a runner up again that was started anew", async () => {
    const one = sample("one", input("X", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"));
    server = await startTestServer({ models: [witness("m", one)] });
    expect(await seenBy("m")).toHaveLength(1);
    expect(await seenBy("m")).toHaveLength(2);
    const pid = await server.api.runnerPid("m");
    process.kill(pid, "SIGKILL");
    await waitUntil("another runner serves", async () => {
      const now = await server.api.runnerPid("m");
      return now !== 0 && now !== pid && (await server.api.ready("m"));
    });
    expect(await seenBy("m")).toEqual([[1, [0]]]);
  });

  it("warms up instances that are added while the model serves", async () => {
    const one = sample("one", input("X", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"));
    const model = witness("m", one);
    server = await startTestServer({ models: [model], args: ["--log-verbose=1"] });
    const pid = await server.api.runnerPid("m");
    const wider = String(model.files["config.pbtxt"]).replace("count: 1", "count: 2");
    replaceFile(`${server.repository}/m/config.pbtxt`, wider);
    expect((await server.api.load("m")).status).toBe(200);
    expect(await server.api.runnerPid("m")).toBe(pid);
    const lines = server.log.map(({ msg }) => String(msg)).filter((text) => text.includes("is running warmup sample"));
    expect(lines.map((text) => /^instance (\d)/.exec(text)?.[1])).toEqual(["0", "1"]);
  });

  it("fails the load with Triton's texts when a sample cannot be made or fails", async () => {
    const bad = (text: string) => sample("s", input("X", text));
    const failing = script(
      "failing",
      `max_batch_size: 0 input [ ${fp32("X", "1")} ] output [ ${fp32("Y", "1")} ]
${sample("zero sample", input("X", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"))}`,
      'export const execute = (requests) => requests.map(() => ({ error: "An Error Occurred" }));',
    );
    const file = (name: string) => bad(`data_type: TYPE_FP32 dims: [ 4 ] input_data_file: "${name}"`);
    server = await startTestServer({
      models: [
        failing,
        witness("short", file("short"), { "warmup/short": new Uint8Array(3) }),
        witness("missing", file("missing")),
        witness("outside", file("../config.pbtxt")),
        witness("variable", bad("data_type: TYPE_FP32 dims: [ -1 ] zero_data: true")),
        witness("typed", bad("data_type: TYPE_INT32 dims: [ 1 ] zero_data: true")),
        witness("foreign", sample("s", input("Z", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"))),
        witness(
          "too_many",
          sample("s", input("X", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"), "batch_size: 9"),
        ),
      ],
      args: ["--exit-on-error=false"],
    });
    expect(await loadErrorOf("failing")).toContain("failed to run warmup sample 'zero sample': An Error Occurred;");
    expect(await loadErrorOf("short")).toContain(
      "warmup setting expects 16 bytes, but the data provided from shortonly has 3 bytes",
    );
    expect(await loadErrorOf("missing")).toContain("failed to read warmup file 'warmup/missing'");
    expect(await loadErrorOf("outside")).toContain("must lie in the model's warmup directory");
    expect(await loadErrorOf("variable")).toContain(
      "warmup setting expects all variable-size dimensions are specified for input 'X'",
    );
    expect(await loadErrorOf("typed")).toContain("inference input 'X' data-type is 'INT32'");
    expect(await loadErrorOf("foreign")).toContain("unexpected inference input 'Z'");
    expect(await loadErrorOf("too_many")).toContain("has batch_size 9, but the largest batch of model 'too_many' is 8");
    expect((await server.api.load("failing")).status).toBe(400);
    expect(await server.api.ready("short")).toBe(false);
  });

  it("takes every answer of a decoupled model before it serves", async () => {
    const decoupled = script(
      "decoupled",
      `max_batch_size: 0
input [ ${fp32("X", "1")} ]
output [ ${fp32("Y", "1")} ]
model_transaction_policy { decoupled: true }
instance_group [ { count: 1 kind: KIND_CPU } ]
${sample("s", input("X", "data_type: TYPE_FP32 dims: [ 1 ] zero_data: true"), "batch_size: 1 count: 2")}`,
      `let ended = 0;
export async function execute(requests) { for (const request of requests) void answer(request, ended); }
async function answer(request, before) {
  for (let index = 0; index < 3; index++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await request.send({ outputs: { Y: { shape: [1], data: [before] } } });
  }
  ended += 1;
  await request.end();
}`,
    );
    server = await startTestServer({ models: [decoupled] });
    const reply = await server.api.call("/v2/models/decoupled/generate_stream", {
      method: "POST",
      body: JSON.stringify({ X: [0] }),
    });
    const events = reply.text.split("\n").filter((line) => line.startsWith("data:"));
    expect(events.map((line) => JSON.parse(line.slice(5)).Y)).toEqual([2, 2, 2]);
  });

  it("feeds the sequences, states and batch inputs of models that need them", async () => {
    const accumulator = accumulatorConfig({ strategy: "direct { }", slots: 4 });
    const warm = sample("s", input("INPUT", "data_type: TYPE_INT32 dims: [ 1 ] random_data: true"), "batch_size: 4");
    const ragged = sample("r", input("VALUES", "data_type: TYPE_FP32 dims: [ 5 ] random_data: true"), "batch_size: 2");
    server = await startTestServer({
      models: [
        { name: "sum", files: { "config.pbtxt": `${accumulator}\n${warm}`, "1/model.onnx": accumulatorModel() } },
        { name: "ragged", files: { "config.pbtxt": `${RAGGED_CONFIG}\n${ragged}`, "1/model.onnx": raggedModel() } },
      ],
      args: ["--log-verbose=1"],
    });
    const lines = server.log.map(({ msg }) => String(msg));
    for (const name of ["s", "r"])
      expect(lines.filter((line) => line.includes(`is running warmup sample '${name}'`))).not.toEqual([]);
    expect(await server.api.ready("sum")).toBe(true);
    expect(await server.api.ready("ragged")).toBe(true);
  });
});

describe("--warm-up-batch-sizes", () => {
  const parameter = (value: string) => `parameters { key: "warm_up_batch_sizes" value: { string_value: "${value}" } }`;

  it("executes zeros in batches of the sizes asked for; a model says otherwise for itself", async () => {
    const shape = sample("shape", input("X", "data_type: TYPE_FP32 dims: [ 3 ] zero_data: true"));
    server = await startTestServer({
      models: [
        witness("powers", ""),
        witness("all", parameter("all")),
        witness("off", parameter("off")),
        witness("shaped", shape),
      ],
      args: ["--warm-up-batch-sizes=powers"],
    });
    const sizes = async (model: string) => (await seenBy(model)).map(([requests]) => requests);
    expect(await sizes("powers")).toEqual([1, 2, 4, 8]);
    expect(await sizes("all")).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await sizes("off")).toEqual([]);
    expect((await seenBy("shaped")).map(([, values]) => values)).toEqual(Array(5).fill([0, 0, 0]));
  });

  it("serves a model that zeros do not suit, and warms up graphs", async () => {
    const picky = script(
      "picky",
      `max_batch_size: 4 input [ ${fp32("X")} ] output [ ${fp32("Y")} ]`,
      `export function execute(requests) {
  if (requests[0].inputs.X.data[0] === 0) throw new Error("division by zero");
  return requests.map(({ inputs: { X } }) => ({ outputs: { Y: { shape: X.shape, data: [...X.data] } } }));
}`,
    );
    server = await startTestServer({
      models: [picky, identity("graph")],
      args: ["--warm-up-batch-sizes=powers", "--log-verbose=1"],
    });
    expect((await server.api.infer("picky", floats("X", [[1]]))).status).toBe(200);
    const lines = server.log.map(({ msg }) => String(msg));
    expect(lines.some((line) => /failed to run warmup sample 'batch size 1'.*division by zero/.test(line))).toBe(true);
    expect(await server.api.statistics("graph")).toMatchObject({ execution_count: 0 });
    expect(lines.some((line) => line.includes("is running warmup sample 'batch size 64'"))).toBe(true);
  });
});
