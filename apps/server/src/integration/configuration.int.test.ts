import { fixedRowsModel, identityModel, offsetModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf } from "../testing/test-api.ts";
import type { TestModel } from "../testing/test-model.ts";

interface Mistake {
  readonly title: string;
  readonly config: string;
  /** `line:column` in config.pbtxt; undefined where only the model itself shows the mistake. */
  readonly at?: string;
  /** What the message must say about the way out. */
  readonly says: RegExp;
  readonly status: 400 | 500;
}

const HEAD = 'backend: "onnxruntime"\nmax_batch_size: 8\n';
const IO = `input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "ANSWER" data_type: TYPE_FP32 dims: [ -1 ] } ]
`;
const CONTROL = "control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] fp32_false_true: [ 0, 1 ] }";
const step = (version: string) =>
  `step [ { model_name: "x" ${version}input_map { key: "a" value: "QUESTION" } output_map { key: "b" value: "ANSWER" } } ]`;

/** The usual mistakes of spec/model-config.md §9, one model each. */
const MISTAKES: readonly Mistake[] = [
  {
    title: "dims without a colon",
    config: `${HEAD}input [ { name: "QUESTION" data_type: TYPE_FP32 dims [ -1 ] } ]`,
    at: "3:49",
    says: /dims: \.\.\./,
    status: 500,
  },
  {
    title: "a comma before the closing bracket",
    config: `${HEAD}input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ -1, ] } ]`,
    at: "3:59",
    says: /remove/,
    status: 500,
  },
  {
    title: "a comma behind the last input",
    config: `${HEAD}input: [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ -1 ] } , ]`,
    at: "3:65",
    says: /remove/,
    status: 500,
  },
  {
    title: "FP32 for TYPE_FP32",
    config: `${HEAD}input [ { data_type: FP32 } ]`,
    at: "3:22",
    says: /TYPE_FP32/,
    status: 500,
  },
  {
    title: "a quoted kind",
    config: `${HEAD}instance_group [ { kind: "KIND_CPU" } ]`,
    at: "3:26",
    says: /without quotes/,
    status: 500,
  },
  {
    title: "a quoted count",
    config: `${HEAD}instance_group [ { count: "2" } ]`,
    at: "3:27",
    says: /without quotes/,
    status: 500,
  },
  {
    title: "a plain value for a parameter",
    config: `${HEAD}parameters: { key: "x" value: "1" }`,
    at: "3:31",
    says: /string_value/,
    status: 500,
  },
  { title: "a comment with slashes", config: `${HEAD}// hello\n`, at: "3:1", says: /#/, status: 500 },
  {
    title: "two schedulers",
    config: `${HEAD}dynamic_batching { }\nsequence_batching { }`,
    at: "4:1",
    says: /remove one/,
    status: 500,
  },
  { title: "an unknown field", config: `${HEAD}max_queue_size: 3\n`, at: "3:1", says: /max_queue_size/, status: 500 },
  {
    title: "the name of another directory",
    config: `name: "other"\n${HEAD}`,
    at: "1:7",
    says: /directory name must equal|directory/,
    status: 400,
  },
  { title: "backend onnx", config: 'backend: "onnx"\n', at: "1:10", says: /onnxruntime/, status: 400 },
  {
    title: "platform onnxruntime",
    config: 'platform: "onnxruntime"\n',
    at: "1:11",
    says: /onnxruntime_onnx/,
    status: 400,
  },
  {
    title: "a preferred batch above the largest",
    config: `${HEAD}${IO}dynamic_batching { preferred_batch_size: [ 4, 16 ] }`,
    at: "5:47",
    says: /max_batch_size is 8/,
    status: 400,
  },
  {
    title: "priority levels without a default",
    config: `${HEAD}${IO}dynamic_batching { priority_levels: 3 }`,
    at: "5:1",
    says: /\[1, 3\]/,
    status: 400,
  },
  {
    title: "an empty reshape of dims that are not [1]",
    config: `${HEAD}input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ 4 ] reshape: { shape: [ ] } } ]`,
    at: "3:61",
    says: /reshape/,
    status: 400,
  },
  {
    title: "a reshape to another number of elements",
    config: `${HEAD}input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ 4 ] reshape: { shape: [ 6 ] } } ]`,
    at: "3:61",
    says: /has different size for dims and reshape/,
    status: 400,
  },
  {
    title: "the batch dimension repeated in dims",
    config: `${HEAD}input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ -1, -1 ] } ]\noutput [ { name: "ANSWER" data_type: TYPE_FP32 dims: [ -1, -1 ] } ]`,
    says: /batch/,
    status: 400,
  },
  {
    title: "GPUs for instances on the CPU",
    config: `${HEAD}${IO}instance_group [ { kind: KIND_CPU gpus: [ 0 ] } ]`,
    at: "5:41",
    says: /gpus/,
    status: 400,
  },
  {
    title: "KIND_GPU where there is no GPU",
    config: `${HEAD}${IO}instance_group [ { kind: KIND_GPU } ]`,
    at: "5:26",
    says: /KIND_CPU/,
    status: 400,
  },
  {
    title: "a sequence control with integers and floats",
    config: `${HEAD}${IO}sequence_batching { control_input [ { name: "START" ${CONTROL} } ] }`,
    at: "5:136",
    says: /int32_false_true|fp32_false_true/,
    status: 400,
  },
  {
    title: "decoupled answers with a response cache",
    config: `${HEAD}${IO}model_transaction_policy { decoupled: true }\nresponse_cache { enable: true }`,
    at: "6:26",
    says: /disable the response cache/,
    status: 400,
  },
  {
    title: "an ensemble with instances",
    config: `platform: "ensemble"\n${IO}ensemble_scheduling { ${step("model_version: -1 ")} }\ninstance_group [ { count: 1 } ]`,
    at: "5:16",
    says: /instance group should not be specified for ensemble/,
    status: 400,
  },
  {
    title: "an ensemble of a model that is not there",
    config: `platform: "ensemble"\n${IO}ensemble_scheduling { ${step("")} }`,
    says: /contains models that are not available or ambiguous/,
    status: 500,
  },
  {
    title: "an input the model does not have",
    config: `${HEAD}input [ { name: "IMAGE" data_type: TYPE_FP32 dims: [ -1 ] } ]`,
    says: /IMAGE/,
    status: 400,
  },
  {
    title: "another type than the model's",
    config: `${HEAD}input [ { name: "QUESTION" data_type: TYPE_INT32 dims: [ -1 ] } ]\noutput [ { name: "ANSWER" data_type: TYPE_FP32 dims: [ -1 ] } ]`,
    says: /TYPE_FP32|FP32/,
    status: 400,
  },
];

const model = (name: string, config: string, file = offsetModel(1)): TestModel => ({
  name,
  files: { "config.pbtxt": config, "1/model.onnx": file },
});
const named = (index: number) => `mistake_${index}`;
const twoOutputs = identityModel([
  ["FLOAT", "FP32"],
  ["INT32", "INT32"],
]);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      ...MISTAKES.map(({ config }, index) => model(named(index), config)),
      model("fixed_first", 'backend: "onnxruntime"\nmax_batch_size: 4\n', fixedRowsModel()),
      model(
        "narrowed",
        `${HEAD}input [ { name: "INPUT_FP32" data_type: TYPE_FP32 dims: [ -1 ] }, { name: "INPUT_INT32" data_type: TYPE_INT32 dims: [ -1 ] } ]\noutput [ { name: "OUTPUT_FP32" data_type: TYPE_FP32 dims: [ -1 ] } ]`,
        twoOutputs,
      ),
      { name: "zero_one", files: { "01/model.onnx": offsetModel(1), "1/model.onnx": offsetModel(2) } },
      model("cached", `${HEAD}response_cache { enable: true }`),
      { name: "no_file", files: { "1/model.onnx": offsetModel(5) } },
      model("empty_file", ""),
    ],
    mode: ["--model-control-mode=explicit"],
  });
});
afterAll(() => server.dispose());

describe("a load of a model with", () => {
  it.each(MISTAKES.map((mistake, index) => ({ ...mistake, index })))(
    "$title is refused and told where and how to mend it",
    async ({ index, at, says, status }) => {
      const reply = await server.api.load(named(index));
      const text = errorOf(reply);
      expect(reply.status).toBe(status);
      expect(text).toMatch(says);
      if (at !== undefined) expect(text).toContain(`config.pbtxt:${at}`);
    },
  );
});

describe("a configuration", () => {
  const warningsOf = async (name: string) => (await server.api.model(name)).warnings.map(({ message }) => message);

  it("that batches a model with a fixed first dimension is refused and told to write max_batch_size 0", async () => {
    const reply = await server.api.load("fixed_first");
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatch(/max_batch_size/);
    const fixed = await server.api.load("fixed_first", { config: '{"backend":"onnxruntime","max_batch_size":0}' });
    expect(fixed.status).toBe(200);
  });

  it("may leave outputs of the model out", async () => {
    expect((await server.api.load("narrowed")).status).toBe(200);
    const metadata = JSON.parse((await server.api.call("/v2/models/narrowed")).text) as { outputs: { name: string }[] };
    expect(metadata.outputs.map(({ name }) => name)).toEqual(["OUTPUT_FP32"]);
  });

  it("with a version directory 01 serves version 1 and warns of the other", async () => {
    expect((await server.api.load("zero_one")).status).toBe(200);
    expect(numbersOf(await server.api.infer("zero_one", floats("QUESTION", [[0]])))).toEqual([2]);
    expect(await warningsOf("zero_one")).toContainEqual(expect.stringContaining("'01' is not a version"));
  });

  it("with a field this server does not act on loads with a warning, which the answer of the load carries", async () => {
    const reply = await server.api.load("cached");
    expect(reply.status).toBe(200);
    const header = decodeURIComponent(String(reply.headers["nereid-warnings"]));
    expect(JSON.parse(header)).toContainEqual(
      expect.objectContaining({ path: expect.stringContaining("response_cache") }),
    );
    expect(await warningsOf("cached")).toContainEqual(expect.stringContaining("response_cache"));
  });

  it.each(["no_file", "empty_file"])("is not needed (%s)", async (name) => {
    expect((await server.api.load(name)).status).toBe(200);
    const reply = await server.api.call(`/v2/models/${name}/config`);
    expect(JSON.parse(reply.text)).toMatchObject({ name, backend: "onnxruntime", max_batch_size: 4 });
  });
});
