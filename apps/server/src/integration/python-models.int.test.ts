import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythonModel, pythonSource, whyNoPython } from "../testing/python-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, parse, type Tensor } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";

const IO = `max_batch_size: 0
input [ { name: "IN" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ -1 ] } ]`;

/** Answers with what it was given when it was last asked. */
const keeper = pythonSource(
  "keeper",
  IO,
  `import triton_python_backend_utils as pb_utils
class TritonPythonModel:
    def initialize(self, args):
        self.last = None
    def execute(self, requests):
        value = pb_utils.get_input_tensor_by_name(requests[0], "IN").as_numpy()
        answer = value if self.last is None else self.last
        self.last = value
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", answer)])]
`,
);

/** Whether its input may be written, and its sum. */
const inPlace = pythonSource(
  "in_place",
  `${IO}\nparameters { key: "SHARED_INPUTS" value { string_value: "yes" } }`,
  `import numpy as np
import triton_python_backend_utils as pb_utils
class TritonPythonModel:
    def execute(self, requests):
        values = pb_utils.get_input_tensor_by_name(requests[0], "IN").as_numpy()
        seen = np.array([float(values.flags.writeable), float(values.sum())], np.float32)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", seen)])]
`,
);

/** Answers through the sender although it is not decoupled, in the way that the first number names. */
const sender = pythonSource(
  "sender",
  IO,
  `import triton_python_backend_utils as pb_utils
FINAL = pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            tensor = pb_utils.get_input_tensor_by_name(request, "IN")
            way = int(tensor.as_numpy()[0])
            response = pb_utils.InferenceResponse([pb_utils.Tensor("OUT", tensor.as_numpy())])
            sender = request.get_response_sender()
            if way == 1: sender.send(response); sender.send(flags=FINAL)
            if way == 2: sender.send(response, FINAL); sender.send(response)
            if way == 3: sender.send(response); sender.send(response)
            if way == 4: sender.send(flags=FINAL)
            if way == 5: sender.send(response, 5)
            if way == 6: sender.send()
`,
);

/** Brings up what it needs before it serves; its answer says whether that is ready. */
const bringer = pythonSource(
  "bringer",
  IO,
  `import numpy as np
import triton_python_backend_utils as pb_utils
class TritonPythonModel:
    def initialize(self, args):
        pb_utils.load_model("keeper_of_bringer", config='{"backend": "onnxruntime", "max_batch_size": 4}')
    def execute(self, requests):
        ready = np.array([pb_utils.is_model_ready("keeper_of_bringer")], np.float32)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", ready)])]
`,
);

/** Does not load, or not execute. */
const clumsy = (at: string, source: string) => pythonSource(`clumsy_${at}`, IO, source);

let server: TestServer;

const one = (value: number, name = "IN"): Tensor[] => [{ name, datatype: "FP32", shape: [1], data: [value] }];
const out = (text: { outputs: { name: string; data: unknown[] }[] }, name: string) =>
  text.outputs.find((output) => output.name === name)?.data;

describe.skipIf(whyNoPython() !== undefined)("a Python model", () => {
  beforeAll(async () => {
    server = await startTestServer({
      models: [
        ...["add_sub", "auto_complete", "bls_sync", "parameters", "preprocess", "dlpack", "errors"].map((name) =>
          pythonModel(name),
        ),
        keeper,
        bringer,
        offset("keeper_of_bringer", 1),
        inPlace,
        sender,
        clumsy("load", "raise ValueError('at the top')\n"),
        clumsy("class", "x = 1\n"),
        clumsy("syntax", "def f(:\n"),
        clumsy(
          "initialize",
          "class TritonPythonModel:\n    def initialize(self, args):\n        raise RuntimeError('no weights')\n",
        ),
        clumsy(
          "complete",
          "class TritonPythonModel:\n    @staticmethod\n    def auto_complete_config(c):\n        return 1\n",
        ),
        clumsy("exit", "import os\nos._exit(7)\n"),
        clumsy("execute", "class TritonPythonModel:\n    pass\n"),
      ],
      args: ["--exit-on-error=false", "--strict-readiness=false"],
    });
  });

  afterAll(() => server?.dispose());

  it("may load other models while it is initialized", async () => {
    const answer = parse<{ outputs: { name: string; data: number[] }[] }>(await server.api.infer("bringer", one(1)));
    expect(out(answer, "OUT")).toEqual([1]);
    expect((await server.api.model("keeper_of_bringer")).maxBatchSize).toBe(4);
  });

  it("computes, batch by batch, and is described by its configuration", async () => {
    const rows = Array.from({ length: 12 }, (_, row) => {
      const data = [row, row + 1, row + 2, row + 3];
      const tensor = (name: string) => ({ name, datatype: "FP32", shape: [1, 4], data });
      return server.api.infer("add_sub", [tensor("LEFT"), tensor("RIGHT")]);
    });
    const answers = (await Promise.all(rows)).map((reply) =>
      parse<{ outputs: { name: string; data: number[] }[] }>(reply),
    );
    expect(answers.map((answer) => out(answer, "SUM"))).toEqual(
      answers.map((_, row) => [row, row + 1, row + 2, row + 3].map((value) => value * 2)),
    );
    expect((await server.api.statistics("add_sub")).inference_count).toBe(12);
  });

  it("completes its configuration, and batches as it said", async () => {
    const config = parse<Record<string, unknown>>(await server.api.call("/v2/models/auto_complete/config"));
    expect(config).toMatchObject({
      max_batch_size: 16,
      input: [
        { name: "X", data_type: "TYPE_FP32", dims: [-1] },
        { name: "BIAS", data_type: "TYPE_FP32", dims: [1], optional: true },
      ],
      output: [{ name: "Y", data_type: "TYPE_FP32", dims: [-1] }],
      dynamic_batching: {},
    });
    const reply = await server.api.infer("auto_complete", [
      { name: "X", datatype: "FP32", shape: [1, 2], data: [3, 4] },
    ]);
    expect(out(parse(reply), "Y")).toEqual([6, 8]);
  });

  it("keeps what it keeps of its inputs", async () => {
    const seen: unknown[] = [];
    for (const value of [1, 2, 3, 4]) seen.push(out(parse(await server.api.infer("keeper", one(value))), "OUT"));
    expect(seen).toEqual([[1], [1], [2], [3]]);
  });

  it("gets views on shared memory, which it cannot change, where it says that it can do with them", async () => {
    const reply = await server.api.infer("in_place", [{ name: "IN", datatype: "FP32", shape: [3], data: [1, 2, 3] }]);
    expect(out(parse(reply), "OUT")).toEqual([0, 6]);
  });

  it.each([
    [1, undefined],
    [2, "Response sender has been closed"],
    [3, "Non-decoupled model cannot send more than one response"],
    [4, "Non-decoupled model cannot send complete final before sending a response"],
    [5, "Unsupported flag provided"],
    [6, "Inference Response object must be provided when the response flags is set to zero"],
  ])("answers through its sender, way %i", async (way, refusal) => {
    const reply = await server.api.infer("sender", one(way));
    // What went out before the mistake stands.
    if (way <= 3) expect(out(parse(reply), "OUT")).toEqual([way]);
    else expect(errorOf(reply)).toContain(refusal);
  });

  it.each([
    ["load", "ValueError: at the top\n\nAt:\n"],
    ["class", "has no class TritonPythonModel"],
    ["syntax", "SyntaxError"],
    ["initialize", "RuntimeError: no weights"],
    ["complete", "auto_complete_config function in model 'clumsy_complete' must return a valid pb.ModelConfig object."],
    ["exit", "It ended with exit code 7"],
  ])("that fails while it loads (%s) is not loaded and says why", async (at, text) => {
    const row = (await server.api.index()).find(({ name }) => name === `clumsy_${at}`);
    expect(row?.state).not.toBe("READY");
    expect(errorOf(await server.api.load(`clumsy_${at}`))).toContain(text);
  });

  it("without execute says so when it is asked", async () => {
    expect(errorOf(await server.api.infer("clumsy_execute", one(1)))).toContain("does not implement `execute` method.");
  });

  it.each([
    ["all:raise", "Failed to process the request(s) for model 'errors_0', message: ValueError: no good\n\nAt:\n"],
    ["all:count", "InferenceRequest(s) size is:1, and InferenceResponse(s) size is:0"],
    ["all:no_list", "Expected a list in the execute return, found type '<class 'str'>'."],
    [
      "all:element",
      "Expected an 'InferenceResponse' object in the execute function return list, found type '<class 'int'>'.",
    ],
    ["all:memory", "MemoryError"],
    ["code:NOT_FOUND", "told NOT_FOUND"],
  ])("that fails (%s) fails its requests and goes on", async (way, text) => {
    const ask = (what: string) =>
      server.api.infer("errors", [{ name: "WAY", datatype: "BYTES", shape: [1, 1], data: [what] }]);
    const pid = await server.api.runnerPid("errors");
    expect(errorOf(await ask(way))).toContain(text);
    expect(out(parse(await ask("ok")), "SAID")).toEqual(["ok"]);
    expect(await server.api.runnerPid("errors")).toBe(pid);
  });

  it("leaves no bytecode in the repository", () => {
    const paths = readdirSync(server.repository, { recursive: true, encoding: "utf8" });
    expect(paths.filter((path) => path.includes("__pycache__"))).toEqual([]);
  });
});
