import { describe, expect, it } from "vitest";
import { applyEdits, type Diagnostic, hasErrors } from "../diagnostic.ts";
import { type DiagnosedGraph, diagnoseConfig } from "./diagnose-config.ts";

interface Mistake {
  readonly title: string;
  readonly text: string;
  readonly line: number;
  /** A phrase of the message or help. */
  readonly says: string;
  /** Whether one click corrects it. */
  readonly fix: boolean;
  readonly graph?: DiagnosedGraph;
}

const GRAPH: DiagnosedGraph = {
  inputs: [{ name: "image", datatype: "FP32", dims: ["batch", 784] }],
  outputs: [{ name: "probabilities", datatype: "FP32", dims: ["batch", 10] }],
};
const FIXED: DiagnosedGraph = {
  inputs: [{ name: "image", datatype: "FP32", dims: [1, 784] }],
  outputs: [{ name: "probabilities", datatype: "FP32", dims: [1, 10] }],
};
const TWO: DiagnosedGraph = {
  inputs: [
    { name: "a", datatype: "INT64", dims: ["n", 4] },
    { name: "b", datatype: "INT64", dims: ["n", 4] },
  ],
  outputs: [{ name: "c", datatype: "INT64", dims: ["n", -1] }],
};

const INPUT = 'input [ { name: "image" data_type: TYPE_FP32 dims: [ 784 ] } ]';
const OUTPUT = 'output [ { name: "probabilities" data_type: TYPE_FP32 dims: [ 10 ] } ]';
const IO = `${INPUT}\n${OUTPUT}`;
const HEAD = `backend: "onnxruntime"\nmax_batch_size: 8\n${IO}`;

const MISTAKES: readonly Mistake[] = [
  // Text
  {
    title: "dims without colon",
    text: HEAD.replace("dims: [ 784 ]", "dims [ 784 ]"),
    line: 3,
    says: "colon",
    fix: true,
  },
  {
    title: "comma before the closing bracket",
    text: HEAD.replace("[ 784 ]", "[ 784, ]"),
    line: 3,
    says: "must not end with a comma",
    fix: true,
  },
  { title: "comma behind the last message", text: HEAD.replace("} ]", "}, ]"), line: 3, says: "comma", fix: true },
  {
    title: "two dims without a comma",
    text: "input { dims: [ 3 224 ] }",
    line: 1,
    says: "separated by commas",
    fix: true,
  },
  { title: "data type without TYPE_", text: HEAD.replace("TYPE_FP32", "FP32"), line: 3, says: "TYPE_FP32", fix: true },
  { title: "numpy name of a type", text: HEAD.replace("TYPE_FP32", "float32"), line: 3, says: "TYPE_FP32", fix: true },
  {
    title: "quoted data type",
    text: HEAD.replace("TYPE_FP32", '"TYPE_FP32"'),
    line: 3,
    says: "without quotes",
    fix: true,
  },
  {
    title: "quoted instance kind",
    text: `${HEAD}\ninstance_group { kind: "KIND_CPU" }`,
    line: 5,
    says: "without quotes",
    fix: true,
  },
  {
    title: "misspelt instance kind",
    text: `${HEAD}\ninstance_group { kind: KIND_CUP }`,
    line: 5,
    says: "KIND_CPU",
    fix: true,
  },
  {
    title: "instance kind without KIND_",
    text: `${HEAD}\ninstance_group { kind: GPU }`,
    line: 5,
    says: "KIND_GPU",
    fix: true,
  },
  {
    title: "quoted count",
    text: `${HEAD}\ninstance_group { count: "2" }`,
    line: 5,
    says: "without quotes",
    fix: true,
  },
  { title: "equals sign", text: "max_batch_size = 8", line: 1, says: "replace `=` with `:`", fix: true },
  { title: "curly quotes", text: "name: “m”", line: 1, says: "quot", fix: true },
  { title: "slash comment", text: `// a model\n${HEAD}`, line: 1, says: "#", fix: true },
  { title: "unquoted string", text: "backend: onnxruntime", line: 1, says: "quotes", fix: true },
  { title: "quoted field name", text: '"max_batch_size": 8', line: 1, says: "not quoted", fix: true },
  { title: "string that is not closed", text: 'backend: "onnxruntime', line: 1, says: '"', fix: true },
  { title: "block that is not closed", text: `${HEAD}\ndynamic_batching {`, line: 5, says: "never closed", fix: true },
  {
    title: "list that is not closed",
    text: "dynamic_batching {\n  preferred_batch_size: [ 4, 8\n}",
    line: 2,
    says: "never closed",
    fix: true,
  },
  { title: "brace too many", text: `${HEAD}\n}`, line: 5, says: "closes nothing", fix: true },
  {
    title: "braces forgotten in a list of messages",
    text: 'input [ name: "image" data_type: TYPE_FP32 dims: [ 784 ] ]',
    line: 1,
    says: "braces",
    fix: true,
  },
  { title: "capital bool", text: `${HEAD}\nresponse_cache { enable: TRUE }`, line: 5, says: "true", fix: true },
  { title: "decimals in an integer", text: "max_batch_size: 8.0", line: 1, says: "write 8", fix: true },
  { title: "list for a single value", text: "max_batch_size: [ 8 ]", line: 1, says: "brackets", fix: true },
  {
    title: "field given twice",
    text: `${HEAD}\nmax_batch_size: 4`,
    line: 5,
    says: "already given on line 2",
    fix: true,
  },
  {
    title: "two schedulers",
    text: `${HEAD}\ndynamic_batching { }\nsequence_batching { }`,
    line: 6,
    says: "excludes dynamic_batching",
    fix: true,
  },
  {
    title: "misspelt field",
    text: `${HEAD}\ndynamic_batching { max_queue_delay_microsecond: 100 }`,
    line: 5,
    says: "max_queue_delay_microseconds",
    fix: true,
  },
  {
    title: "field of another tool",
    text: `${HEAD}\noptimization_config { }`,
    line: 5,
    says: "did you mean optimization",
    fix: true,
  },
  {
    title: "field in the wrong block",
    text: `${HEAD}\ninstance_group { preferred_batch_size: [ 4 ] }`,
    line: 5,
    says: "it belongs to dynamic_batching",
    fix: false,
  },
  {
    title: "parameter with a plain value",
    text: `${HEAD}\nparameters { key: "memory_limit" value: "1g" }`,
    line: 5,
    says: "string_value",
    fix: true,
  },
  {
    title: "accelerator parameter with a message",
    text: `${HEAD}\noptimization { execution_accelerators { gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "precision_mode" value { string_value: "FP16" } } } ] } }`,
    line: 5,
    says: "plain value",
    fix: true,
  },
  {
    title: "accelerator parameter that is misremembered",
    text: `${HEAD}\noptimization { execution_accelerators { gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "precision" value: "FP16" } } ] } }`,
    line: 5,
    says: "precision_mode",
    fix: true,
  },
  {
    title: "model list",
    text: 'model_config_list { config { name: "m" } }',
    line: 1,
    says: "one file per model",
    fix: true,
  },
  {
    title: "backend options in the model's file",
    text: 'backend_config { backend: "python" parameters { key: "shm-default-size" value: "1" } }',
    line: 1,
    says: "--backend-config=python,shm-default-byte-size=1",
    fix: true,
  },
  { title: "value forgotten", text: `${HEAD}\ninstance_group { count: }`, line: 5, says: "has no value", fix: false },
  // Checks
  { title: "name of another directory", text: `name: "other"\n${HEAD}`, line: 1, says: "directory name", fix: true },
  {
    title: "backend by its nickname",
    text: HEAD.replace("onnxruntime", "onnx"),
    line: 1,
    says: "onnxruntime",
    fix: true,
  },
  {
    title: "backend in the place of the platform",
    text: HEAD.replace("backend", "platform"),
    line: 1,
    says: "onnxruntime_onnx",
    fix: true,
  },
  {
    title: "platform of another backend",
    text: `platform: "pytorch_libtorch"\n${HEAD}`,
    line: 1,
    says: "'platform' and 'backend' pair",
    fix: true,
  },
  { title: "negative batch size", text: HEAD.replace(": 8", ": -1"), line: 2, says: "non-negative", fix: true },
  {
    title: "preferred size over the largest batch",
    text: `${HEAD}\ndynamic_batching {\n  preferred_batch_size: [ 4, 16 ]\n}`,
    line: 6,
    says: "max_batch_size is 8",
    fix: true,
  },
  {
    title: "preferred size of nothing",
    text: `${HEAD}\ndynamic_batching { preferred_batch_size: [ 0 ] }`,
    line: 5,
    says: "must be positive",
    fix: true,
  },
  {
    title: "priorities without a default",
    text: `${HEAD}\ndynamic_batching { priority_levels: 2 }`,
    line: 5,
    says: "default_priority_level",
    fix: true,
  },
  {
    title: "queue policy of a priority that is not there",
    text: `${HEAD}\ndynamic_batching { priority_levels: 2 default_priority_level: 1 priority_queue_policy { key: 3 value { max_queue_size: 4 } } }`,
    line: 5,
    says: "range [1, 2]",
    fix: true,
  },
  {
    title: "order kept over priorities",
    text: `${HEAD}\ndynamic_batching { preserve_ordering: true priority_levels: 2 default_priority_level: 1 }`,
    line: 5,
    says: "Only one priority level",
    fix: true,
  },
  {
    title: "GPUs for a CPU group",
    text: `${HEAD}\ninstance_group { kind: KIND_CPU gpus: [ 0 ] }`,
    line: 5,
    says: "Remove gpus",
    fix: true,
  },
  {
    title: "policy that selects nothing",
    text: `${HEAD}\nversion_policy { latest { num_versions: 0 } }`,
    line: 5,
    says: "selects no version",
    fix: true,
  },
  {
    title: "cache with a decoupled model",
    text: `${HEAD}\nresponse_cache { enable: true }\nmodel_transaction_policy { decoupled: true }`,
    line: 5,
    says: "Please disable the response cache",
    fix: true,
  },
  {
    title: "reshape to another size",
    text: HEAD.replace("[ 784 ]", "[ 784 ] reshape { shape: [ 28, 27 ] }"),
    line: 3,
    says: "different size for dims and reshape",
    fix: true,
  },
  { title: "dimension of zero", text: HEAD.replace("[ 784 ]", "[ 0 ]"), line: 3, says: ">= 1", fix: true },
  {
    title: "label file outside",
    text: HEAD.replace("[ 10 ]", '[ 10 ] label_filename: "../labels.txt"'),
    line: 4,
    says: "inside the directory",
    fix: false,
  },
  {
    title: "ensemble with instances",
    text: `platform: "ensemble"\n${IO}\ninstance_group { }\nensemble_scheduling { step { model_name: "a" model_version: -1 input_map { key: "i" value: "image" } output_map { key: "o" value: "probabilities" } } }`,
    line: 4,
    says: "instance group should not be specified",
    fix: true,
  },
  // Comparison with the graph
  {
    title: "other type than the graph",
    text: HEAD.replace("TYPE_FP32", "TYPE_FP16"),
    line: 3,
    says: "model provides TYPE_FP32",
    fix: true,
    graph: GRAPH,
  },
  {
    title: "type forgotten",
    text: HEAD.replace("data_type: TYPE_FP32 ", ""),
    line: 3,
    says: "data_type",
    fix: true,
    graph: GRAPH,
  },
  {
    title: "dims that differ",
    text: HEAD.replace("784", "748"),
    line: 3,
    says: "shape [-1,784]",
    fix: true,
    graph: GRAPH,
  },
  {
    title: "dims forgotten",
    text: HEAD.replace(" dims: [ 784 ]", ""),
    line: 3,
    says: "must specify 'dims'",
    fix: true,
    graph: GRAPH,
  },
  {
    title: "batch dimension in dims",
    text: HEAD.replace("[ 784 ]", "[ -1, 784 ]"),
    line: 3,
    says: "must not contain the batch dimension",
    fix: true,
    graph: GRAPH,
  },
  {
    title: "narrowed output",
    text: 'max_batch_size: 8\ninput [ { name: "a" data_type: TYPE_INT64 dims: 4 }, { name: "b" data_type: TYPE_INT64 dims: 4 } ]\noutput { name: "c" data_type: TYPE_INT64 dims: 4 }',
    line: 3,
    says: "cannot be narrowed",
    fix: true,
    graph: TWO,
  },
  {
    title: "batching of a graph with a fixed batch",
    text: HEAD,
    line: 2,
    says: "first dimension must be -1",
    fix: true,
    graph: FIXED,
  },
  {
    title: "batching wished of a graph with a fixed batch",
    text: "max_batch_size: 8",
    line: 1,
    says: "does not support batching",
    fix: true,
    graph: FIXED,
  },
  {
    title: "misspelt tensor",
    text: HEAD.replace("probabilities", "probabilites"),
    line: 4,
    says: 'Did you mean "probabilities"',
    fix: true,
    graph: GRAPH,
  },
  {
    title: "only one of two inputs",
    text: 'max_batch_size: 8\ninput { name: "a" data_type: TYPE_INT64 dims: 4 }\noutput { name: "c" data_type: TYPE_INT64 dims: -1 }',
    line: 2,
    says: "Inputs of the model: a, b",
    fix: false,
    graph: TWO,
  },
];

const look = (text: string, graph: DiagnosedGraph | null) => diagnoseConfig({ text, modelName: "m", graph });
const words = ({ message, help }: Diagnostic) => `${message} ${help ?? ""}`;

describe("planted mistakes", () => {
  it("are enough of them", () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(45);
    expect(look(HEAD, GRAPH)).toEqual([]);
  });

  it.each(MISTAKES.map((mistake) => [mistake.title, mistake] as const))("%s", (_, mistake) => {
    const graph = mistake.graph ?? null;
    const found = look(mistake.text, graph);
    const hit = found.find((one) => words(one).includes(mistake.says));
    expect(hit, JSON.stringify(found, null, 1)).toBeDefined();
    if (hit === undefined) return;
    expect(hit.line).toBe(mistake.line);
    expect(hit.fix !== undefined, JSON.stringify(hit)).toBe(mistake.fix);
    if (hit.fix === undefined) return;
    const fixed = applyEdits(mistake.text, hit.fix.edits);
    const left = look(fixed, graph);
    expect(left.filter((one) => one.code === hit.code && one.message === hit.message, fixed)).toEqual([]);
    const before = new Set(found.map(({ message }) => message));
    const fresh = left.filter((one) => one.severity === "error" && !before.has(one.message));
    // A text that could not be read before may show what the checks think of it now, but nothing may break the reading.
    const wasRead = !hasErrors(found.filter((one) => one.code === hit.code && one.path === undefined));
    if (wasRead) expect(fresh, fixed).toEqual([]);
  });
});

describe("diagnoseConfig", () => {
  it("says each thing once, in the order of the text", () => {
    const text = `name: "x"\nmax_batch_size: 8\n${INPUT.replace("TYPE_FP32", "TYPE_INT8")}\n${OUTPUT.replace("[ 10 ]", "[ 0 ]")}`;
    const found = look(text, GRAPH);
    expect(found.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "1 directory-name",
      "3 model-mismatch",
      "4 model-mismatch",
      "4 output",
    ]);
  });

  it("does not refuse GPUs it does not know of, and refuses those it knows are not there", () => {
    const text = `${HEAD}\ninstance_group { kind: KIND_GPU gpus: [ 3 ] }`;
    expect(look(text, GRAPH)).toEqual([]);
    expect(diagnoseConfig({ text, modelName: "m", graph: GRAPH, gpus: [] })[0]?.fix?.title).toBe(
      "Write kind: KIND_CPU",
    );
  });

  it("accepts the empty text with and without a graph", () => {
    expect(look("", null)).toEqual([]);
    expect(look("", GRAPH)).toEqual([]);
  });

  it("warns about fields the server does not act on", () => {
    const text = `${HEAD}\nresponse_cache { enable: true }`;
    const honoured = new Set(["backend", "max_batch_size", "input", "output"]);
    expect(diagnoseConfig({ text, modelName: "m", graph: GRAPH, honoured }).map(({ code }) => code)).toEqual([
      "not-honoured",
    ]);
  });
});
