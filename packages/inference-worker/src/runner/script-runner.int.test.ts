import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SeenResponse } from "./testing/collected.ts";
import { execute, FP32_CONFIG, ScriptBench } from "./testing/script-bench.ts";

const ADD_SUB = `
export function execute(requests) {
  return requests.map((request) => {
    const a = request.inputs.A.data;
    const b = request.input("B").data;
    const shape = request.inputs.A.shape;
    return { outputs: {
      SUM: { shape, data: a.map((value, index) => value + b[index]) },
      DIFFERENCE: { shape, data: Array.from(a, (value, index) => value - b[index]) },
    } };
  });
}`;
const ADD_SUB_CONFIG = {
  output: [
    { name: "SUM", data_type: "TYPE_FP32", dims: [-1] },
    { name: "DIFFERENCE", data_type: "TYPE_FP32", dims: [-1] },
  ],
};
/** Answers each request with what its parameter "do" says. */
const OBEDIENT = `
const good = () => ({ outputs: { Y: { shape: [1], data: [1] } } });
const ACTS = {
  good,
  refuse: () => ({ error: "not today" }),
  refuseWith: () => ({ error: { code: "INVALID_ARG", message: "not like this" } }),
  wrongLength: () => ({ outputs: { Y: { shape: [2, 3], data: new Float32Array(5) } } }),
  wrongType: () => ({ outputs: { Y: { shape: [1], data: new Float64Array(1) } } }),
  wrongDatatype: () => ({ outputs: { Y: { datatype: "INT8", shape: [1], data: new Int8Array(1) } } }),
  unasked: () => ({ outputs: { Y: { shape: [1], data: [1] }, Z: "whatever" } }),
  none: () => undefined,
  text: () => "hello",
  twice: (request) => { request.send(good()); return good(); },
  thrice: (request) => { request.send(good()); request.send(good()); return good(); },
  sent: (request) => { request.send(good()); },
  again: (request) => { request.reschedule(); },
  againAndAnswer: (request) => { request.reschedule(); return good(); },
};
export async function execute(requests) {
  if (requests[0].parameters.do === "throw") throw new RangeError("too far");
  if (requests[0].parameters.do === "short") return [good()];
  if (requests[0].parameters.do === "number") return 7;
  return requests.map((request) => ACTS[request.parameters.do](request));
}`;

/** The output Y of a script that says what it has seen. */
function jsonOf(response: SeenResponse | undefined): unknown {
  const output = response?.outputs["Y"];
  return JSON.parse(Array.isArray(output) ? String(output[0]) : JSON.stringify(response));
}

describe("a script's single responses", () => {
  let bench: ScriptBench;
  let obedient: Awaited<ReturnType<ScriptBench["start"]>>;

  beforeAll(async () => {
    bench = new ScriptBench();
    obedient = await bench.start(OBEDIENT);
  });

  afterAll(() => bench.close());

  const does = (...acts: string[]) =>
    obedient.run(acts.map((act) => ({ parameters: new Map([["do", act]]) }))).single();

  it("adds and subtracts a batch, in the arena and beyond it", async () => {
    const { run } = await bench.start(ADD_SUB, { config: ADD_SUB_CONFIG });
    const requests = [
      { inputs: { A: [1, 2, 3], B: [10, 20, 30] }, outputs: ["SUM", "DIFFERENCE"] },
      { inputs: { A: [0.5], B: [0.25] }, outputs: ["DIFFERENCE"] },
    ];
    for (const arenaBytes of [4096, 64, undefined]) {
      const execution = run(requests, arenaBytes === undefined ? {} : { arenaBytes });
      expect(await execution.single()).toEqual([
        { outputs: { SUM: [11, 22, 33], DIFFERENCE: [-9, -18, -27] }, final: true },
        { outputs: { DIFFERENCE: [0.25] }, final: true },
      ]);
      const { inferStartNs, inferEndNs } = await execution.returned;
      expect(inferEndNs).toBeGreaterThanOrEqual(inferStartNs);
      expect(execution.order.at(-1)).toBe("returned");
    }
  });

  it("gives all memory back when responses are released", async () => {
    const { runner, run } = await bench.start(ADD_SUB, { config: ADD_SUB_CONFIG });
    for (let turn = 0; turn < 6; turn++) {
      const execution = run([{ inputs: { A: [1], B: [2] }, outputs: ["SUM"] }], { arenaBytes: 900_000 });
      expect(await execution.single()).toEqual([{ outputs: { SUM: [3] }, final: true }]);
      await execution.returned;
    }
    expect(runner.slab.byteLength).toBe(1 << 20);
  });

  it.skipIf(process.platform !== "linux")("does not load the engine of other backends", async () => {
    const maps = readFileSync(`/proc/${obedient.runner.pid}/maps`, "utf8");
    expect(maps).toContain("koffi");
    expect(maps).not.toContain("onnxruntime");
  });

  it("sees what the client sent", async () => {
    const { run } = await bench.start(
      `export function execute(requests, context) {
        return requests.map((request) => ({ outputs: { Y: { shape: [1], data: [JSON.stringify({
          id: request.id, x: [...request.inputs.X.data].map(String), kind: request.inputs.X.data.constructor.name,
          texts: request.input("T").text(), raw: [...request.input("T").data[1]], missing: request.input("U") === undefined,
          wanted: request.requestedOutputs, parameters: { ...request.parameters, big: String(request.parameters.big) }, big: typeof request.parameters.big,
          sequence: { ...request.sequence, id: String(request.sequence.id), type: typeof request.sequence.id },
          timeout: request.timeoutMicroseconds, priority: request.priority,
          context: { ...context, directory: undefined, config: context.config.name },
        })] } }, parameters: { whole: 3, half: 0.5, big: 2n ** 62n, yes: true, text: "t" } }));
      }`,
      { config: { name: "configured", output: [{ name: "Y", data_type: "TYPE_STRING", dims: [1] }] } },
    );
    const [seen] = await run([
      {
        id: "mine",
        inputs: {
          X: { datatype: "INT64", values: [1n, -(2n ** 62n)] },
          T: { datatype: "BYTES", values: ["håndværk", Uint8Array.of(0, 255)] },
        },
        parameters: new Map<string, bigint | number | string>([
          ["whole", 3n],
          ["double", 3],
          ["text", "x"],
        ]).set("big", 2n ** 60n + 1n),
        sequence: { id: 2n ** 63n, start: true, end: false },
        timeoutMicroseconds: 1500,
        priority: 2,
      },
    ]).single();
    expect(seen?.parameters).toEqual({ whole: 3n, half: 0.5, big: 2n ** 62n, yes: true, text: "t" });
    expect(jsonOf(seen)).toMatchObject({
      id: "mine",
      x: ["1", String(-(2n ** 62n))],
      kind: "BigInt64Array",
      texts: ["håndværk", "\0\ufffd"],
      raw: [0, 255],
      missing: true,
      wanted: ["Y"],
      parameters: { whole: 3, double: 3, text: "x", big: String(2n ** 60n + 1n) },
      big: "bigint",
      sequence: { id: String(2n ** 63n), type: "bigint", start: true, end: false },
      timeout: 1500,
      priority: 2,
      context: { modelName: "script", modelVersion: "1", instanceName: "script_0_0", kind: "KIND_CPU", device: null },
    });
  });

  const good = { outputs: { Y: [1] }, final: true };
  const failed = (message: string, code = "INTERNAL") => ({ outputs: {}, error: { code, message }, final: true });

  it("fails the request with an error and no other", async () => {
    expect(await does("good", "refuse", "refuseWith", "good")).toEqual([
      good,
      failed("not today"),
      failed("not like this", "INVALID_ARGUMENT"),
      good,
    ]);
  });

  it("fails a request whose response cannot be taken, and says what was expected and what came", async () => {
    expect(await does("wrongLength", "wrongType", "wrongDatatype", "none", "text", "good")).toEqual([
      failed("output 'Y' has shape [2,3], which takes 6 elements, got 5"),
      failed("output 'Y' of datatype FP32 needs Float32Array or an array of its values, got Float64Array"),
      failed("output 'Y' must be FP32 as the model's configuration says, got INT8"),
      failed("execute gave no response for the request"),
      failed("a response must be an object with outputs or an error, got string"),
      good,
    ]);
  });

  it("leaves out outputs nobody asked for", async () => {
    expect(await does("unasked")).toEqual([good]);
  });

  it("takes the response from send, and refuses a second one", async () => {
    expect(await does("sent", "twice", "thrice", "good")).toEqual([
      good,
      failed("expected a single response, got 2"),
      failed("expected a single response, got 3"),
      good,
    ]);
  });

  it("gives a request back to be run again", async () => {
    expect(await does("again", "againAndAnswer")).toEqual([
      { outputs: {}, final: true, reschedule: true },
      failed("a request that is rescheduled cannot be answered too"),
    ]);
  });

  it("fails every request when execute throws, with the place in the script", async () => {
    const [first, second] = await does("throw", "good");
    expect(first?.error?.message).toMatch(
      /^Failed to process the request\(s\) for model instance 'script_0_0', message: RangeError: too far\nat .*execute \(1\/model\.mjs:20:\d+\)$/,
    );
    expect(second).toEqual(first);
    expect(await does("good")).toEqual([good]);
  });

  it.each([
    ["short", "execute returned 1 responses for 3 requests"],
    ["number", "execute must return an array with a response for each request, got number"],
  ])("fails every request when execute returns what is no list of responses: %s", async (act, text) => {
    const message = `Failed to process the request(s) for model instance 'script_0_0', message: ${text}`;
    expect(await does(act, "good", "good")).toEqual([failed(message), failed(message), failed(message)]);
  });

  it("runs a class with state of its own in each instance", async () => {
    const { runner, channels } = await bench.start(
      `export default class {
        #count = 0;
        initialize(context) { this.name = context.instanceName; }
        execute(requests) {
          return requests.map(() => ({ outputs: { Y: { shape: [1], data: [this.name + " " + ++this.#count] } } }));
        }
      }`,
      { instances: 2, config: { output: [{ name: "Y", data_type: "TYPE_STRING", dims: [1] }] } },
    );
    const answers: unknown[] = [];
    for (const channel of [...channels, ...channels])
      answers.push((await execute({ runner, channel }, [{}]).single())[0]?.outputs["Y"]);
    expect(answers).toEqual([["script_0_0 1"], ["script_0_1 1"], ["script_0_0 2"], ["script_0_1 2"]]);
  });

  it("takes CommonJS files too", async () => {
    const { run } = await bench.start(
      "module.exports = { execute: (requests) => requests.map(() => ({ outputs: { Y: { shape: [], data: [4] } } })) };",
      { file: "model.js" },
    );
    expect(await run([{}]).single()).toEqual([{ outputs: { Y: [4] }, final: true }]);
  });

  it("writes what the script prints to the runner's lines, and lets it finish when it is asked to", async () => {
    const { runner, run } = await bench.start(
      `export function initialize(context) { context.log("hello from " + context.instanceName); }
       export const execute = (requests) => requests.map(() => ({}));
       export const finalize = async () => { await new Promise((done) => setTimeout(done, 20)); console.log("goodbye"); };
       setInterval(() => {}, 1e6);`,
    );
    await run([{}]).single();
    await runner.finish("unloaded");
    expect(runner.exitReason).toBe("unloaded");
    expect(bench.lines).toEqual(expect.arrayContaining(["hello from script_0_0", "goodbye"]));
  });
});

describe("loading a script", () => {
  let bench: ScriptBench;

  beforeAll(() => {
    bench = new ScriptBench();
  });

  afterAll(() => bench.close());

  it("tells what the script completes, and gives it the completed configuration", async () => {
    const { signature, run } = await bench.start(
      `let seen;
       export function autoComplete(config) {
         return {
           maxBatchSize: config.max_batch_size ? 1 : 8, decoupled: false, dynamicBatching: true,
           inputs: [{ name: "X", datatype: "FP32", dims: [2] }, { name: "HINT", datatype: "BYTES", dims: [1], optional: true }],
           outputs: [{ name: "Y", datatype: "BYTES", dims: [1] }],
         };
       }
       export function initialize(context) { seen = context.config; }
       export const execute = (requests) => requests.map(() => ({ outputs: { Y: { shape: [1], data: [JSON.stringify(seen)] } } }));`,
      { config: { name: "m", input: [{ name: "X", data_type: "TYPE_FP32", dims: [4] }] }, instances: 2 },
    );
    expect(signature).toEqual({
      inputs: [
        { name: "X", datatype: "FP32", dims: [2] },
        { name: "HINT", datatype: "BYTES", dims: [1], optional: true },
      ],
      outputs: [{ name: "Y", datatype: "BYTES", dims: [1] }],
      execution: "requests",
      restartsInstances: true,
      config: { maxBatchSize: 8, decoupled: false, dynamicBatching: true },
    });
    const [answer] = await run([{}]).single();
    expect(jsonOf(answer)).toEqual({
      name: "m",
      max_batch_size: 8,
      input: [
        { name: "X", data_type: "TYPE_FP32", dims: [4] },
        { name: "HINT", data_type: "TYPE_STRING", dims: [1], optional: true },
      ],
      output: [{ name: "Y", data_type: "TYPE_STRING", dims: [1] }],
      model_transaction_policy: { decoupled: false },
      dynamic_batching: {},
    });
  });

  it("does not ask the script when auto-completion is off", async () => {
    const { signature } = await bench.start(
      "export const autoComplete = () => { throw new Error('asked'); }; export const execute = () => [];",
      { autoComplete: false },
    );
    expect(signature).toEqual({
      inputs: [],
      outputs: [],
      execution: "requests",
      restartsInstances: true,
      config: {},
    });
  });

  it.each([
    ["there is no execute", "export const run = 1;", /does not implement 'execute'/],
    [
      "the syntax is wrong",
      "\nexport const = 1;",
      /cannot be loaded: SyntaxError: Unexpected token '='\nat model\.mjs:2$/,
    ],
    ["it imports what is not there", "import 'nowhere-to-be-found';", /cannot be loaded: .*nowhere-to-be-found/],
    ["it throws", "\nthrow new Error('no licence');", /cannot be loaded: Error: no licence\nat 1\/model\.mjs:2:7/],
    [
      "initialize throws",
      "export const execute = () => []; export function initialize() { throw new Error('no weights'); }",
      /initialization of instance 'script_0_0' failed: Error: no weights\nat .*initialize \(1\/model\.mjs:1/,
    ],
    [
      "autoComplete is wrong",
      "export const execute = () => []; export const autoComplete = () => ({ inputs: [{ name: 'X', datatype: 'FLOAT' }] });",
      /auto-completion of model 'script' failed: autoComplete: inputs\[0\] 'X' has no datatype such as "FP32"/,
    ],
  ])("fails with a clear text when %s", async (_, source, text) => {
    await expect(bench.runner().load(bench.describe(source))).rejects.toThrow(text);
  });

  it("says where TypeScript cannot be read", async () => {
    const load = bench.describe("export const execute: = () => [];", { file: "model.ts" });
    await expect(bench.runner().load(load)).rejects.toThrow(/cannot be loaded/);
  });

  it("says which backends there are", async () => {
    const load = { ...bench.describe("", { config: FP32_CONFIG }), backend: "fortran" };
    await expect(bench.runner().load(load)).rejects.toThrow(/no backend 'fortran'; it has onnxruntime and javascript/);
  });
});
