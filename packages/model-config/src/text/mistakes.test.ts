import { describe, expect, it } from "vitest";
import { applyEdits, type DiagnosticCode } from "../diagnostic.ts";
import { lint } from "../testing/check.ts";

interface Mistake {
  readonly title: string;
  readonly text: string;
  readonly code: DiagnosticCode;
  /** `line:column` of the finding. */
  readonly at: string;
  /** A word of the message or help that names the way out. */
  readonly says: string;
  /** What the fix turns the text into; undefined where no fix is mechanical. */
  readonly fixed?: string;
}

const IO = 'input { name: "x" data_type: TYPE_FP32 dims: 4 } output { name: "y" data_type: TYPE_FP32 dims: 4 }';

const MISTAKES: readonly Mistake[] = [
  {
    title: "dims without colon",
    text: "input { dims [1] }",
    code: "missing-colon",
    at: "1:9",
    says: "dims: ...",
    fixed: "input { dims: [1] }",
  },
  {
    title: "trailing comma",
    text: "input {\n  dims: [1, 2,] }",
    code: "trailing-comma",
    at: "2:14",
    says: "remove",
    fixed: "input {\n  dims: [1, 2] }",
  },
  {
    title: "trailing comma behind a message",
    text: "input: [ { dims: 1 } , ]",
    code: "trailing-comma",
    at: "1:22",
    says: "remove",
    fixed: "input: [ { dims: 1 }  ]",
  },
  {
    title: "missing comma",
    text: "input { dims: [1 2] }",
    code: "missing-comma",
    at: "1:17",
    says: "add `,`",
    fixed: "input { dims: [1, 2] }",
  },
  {
    title: "missing comma between messages",
    text: "input [ { dims: 1 } { dims: 2 } ]",
    code: "missing-comma",
    at: "1:20",
    says: "add `,`",
    fixed: "input [ { dims: 1 }, { dims: 2 } ]",
  },
  {
    title: "data type without prefix",
    text: "input { data_type: FP32 }",
    code: "unknown-enum",
    at: "1:20",
    says: "TYPE_FP32",
    fixed: "input { data_type: TYPE_FP32 }",
  },
  {
    title: "protocol name of strings",
    text: "input { data_type: BYTES }",
    code: "unknown-enum",
    at: "1:20",
    says: "TYPE_STRING",
    fixed: "input { data_type: TYPE_STRING }",
  },
  {
    title: "mistyped enum",
    text: "input { data_type: TYPE_FLOAT32 }",
    code: "unknown-enum",
    at: "1:20",
    says: "TYPE_FP32",
    fixed: "input { data_type: TYPE_FP32 }",
  },
  {
    title: "quoted enum",
    text: 'instance_group { kind: "KIND_CPU" }',
    code: "quoted-enum",
    at: "1:24",
    says: "without quotes",
    fixed: "instance_group { kind: KIND_CPU }",
  },
  {
    title: "quoted data type",
    text: 'input { data_type: "FP16" }',
    code: "quoted-enum",
    at: "1:20",
    says: "TYPE_FP16",
    fixed: "input { data_type: TYPE_FP16 }",
  },
  {
    title: "quoted number",
    text: 'instance_group { count: "2" }',
    code: "quoted-number",
    at: "1:25",
    says: "without quotes",
    fixed: "instance_group { count: 2 }",
  },
  {
    title: "float for an integer",
    text: "max_batch_size: 8.0",
    code: "bad-number",
    at: "1:17",
    says: "write 8",
    fixed: "max_batch_size: 8",
  },
  {
    title: "leading zero",
    text: "max_batch_size: 08",
    code: "bad-number",
    at: "1:17",
    says: "octal",
    fixed: "max_batch_size: 8",
  },
  {
    title: "capital bool",
    text: "response_cache { enable: TRUE }",
    code: "bad-bool",
    at: "1:26",
    says: "true",
    fixed: "response_cache { enable: true }",
  },
  {
    title: "unquoted string",
    text: "name: resnet",
    code: "unquoted-string",
    at: "1:7",
    says: "quotes",
    fixed: 'name: "resnet"',
  },
  {
    title: "plain parameter value",
    text: 'parameters: { key: "x" value: "1" }',
    code: "message-expected",
    at: "1:31",
    says: "string_value",
    fixed: 'parameters: { key: "x" value: { string_value: "1" } }',
  },
  {
    title: "string_value in a plain map",
    text: 'metric_tags { key: "x" value { string_value: "1" } }',
    code: "scalar-expected",
    at: "1:30",
    says: "plain value",
    fixed: 'metric_tags { key: "x" value: "1" }',
  },
  {
    title: "map entry without key and value",
    text: 'parameters { shm: "1" }',
    code: "map-entry",
    at: "1:14",
    says: "key and value",
    fixed: 'parameters { key: "shm" value: { string_value: "1" } }',
  },
  {
    title: "two schedulers",
    text: "dynamic_batching { }\nsequence_batching { }",
    code: "oneof-conflict",
    at: "2:1",
    says: "remove one",
    fixed: "dynamic_batching { }\n",
  },
  {
    title: "field given twice",
    text: 'name: "m"\nname: "m"',
    code: "duplicate-field",
    at: "2:1",
    says: "line 1",
    fixed: 'name: "m"',
  },
  {
    title: "message given twice",
    text: "optimization { }\noptimization { }",
    code: "duplicate-field",
    at: "2:1",
    says: "merge",
  },
  { title: "slash comment", text: "// hello\n", code: "slash-comment", at: "1:1", says: "#", fixed: "# hello\n" },
  {
    title: "block comment",
    text: "/* a\n * b */ max_batch_size: 1",
    code: "slash-comment",
    at: "1:1",
    says: "#",
    fixed: "# a\n# b\n max_batch_size: 1",
  },
  { title: "equals sign", text: 'name = "m"', code: "equals-sign", at: "1:6", says: ":", fixed: 'name : "m"' },
  {
    title: "quoted field name",
    text: '"name": "m"',
    code: "quoted-field-name",
    at: "1:1",
    says: "not quoted",
    fixed: 'name: "m"',
  },
  {
    title: "typographic quotes",
    text: "name: “m”",
    code: "curly-quote",
    at: "1:7",
    says: "straight",
    fixed: 'name: "m"',
  },
  {
    title: "unclosed string",
    text: 'name: "m\nmax_batch_size: 1',
    code: "unterminated-string",
    at: "1:7",
    says: "closed",
    fixed: 'name: "m"\nmax_batch_size: 1',
  },
  {
    title: "bad escape",
    text: 'default_model_filename: "C:\\models"',
    code: "bad-escape",
    at: "1:28",
    says: "backslash",
    fixed: 'default_model_filename: "C:\\\\models"',
  },
  {
    title: "unclosed block",
    text: "dynamic_batching {\n  preserve_ordering: true",
    code: "unclosed-block",
    at: "1:18",
    says: "add `}`",
    fixed: "dynamic_batching {\n  preserve_ordering: true\n}",
  },
  {
    title: "unclosed list",
    text: "input { dims: [ 1, 2 }",
    code: "unclosed-list",
    at: "1:15",
    says: "add `]`",
    fixed: "input { dims: [ 1, 2 ] }",
  },
  {
    title: "superfluous brace",
    text: "input { dims: 1 } }",
    code: "unmatched-closer",
    at: "1:19",
    says: "remove",
    fixed: "input { dims: 1 } ",
  },
  {
    title: "doubled separator",
    text: 'name: "m",, max_batch_size: 1',
    code: "stray-separator",
    at: "1:11",
    says: "remove",
    fixed: 'name: "m", max_batch_size: 1',
  },
  {
    title: "list elements without braces",
    text: 'input [ name: "x" ]',
    code: "missing-braces",
    at: "1:9",
    says: "braces",
    fixed: 'input [ { name: "x" } ]',
  },
  {
    title: "list for a single value",
    text: "max_batch_size: [ 8 ]",
    code: "list-for-single",
    at: "1:17",
    says: "brackets",
    fixed: "max_batch_size: 8",
  },
  {
    title: "nested list",
    text: "input { dims: [ [1, 2] ] }",
    code: "nested-list",
    at: "1:17",
    says: "inner brackets",
    fixed: "input { dims: [ 1, 2 ] }",
  },
  {
    title: "bare message name",
    text: "version_policy { all }",
    code: "missing-value",
    at: "1:18",
    says: "all { }",
    fixed: "version_policy { all { } }",
  },
  {
    title: "bool for a message",
    text: "response_cache: true",
    code: "message-expected",
    at: "1:17",
    says: "enable: true",
    fixed: "response_cache: { enable: true }",
  },
  {
    title: "bare reshape",
    text: "input { reshape: [ 1, 2 ] }",
    code: "message-expected",
    at: "1:18",
    says: "shape",
    fixed: "input { reshape: { shape: [ 1, 2 ] } }",
  },
  {
    title: "misspelled field",
    text: "max_bach_size: 1",
    code: "unknown-field",
    at: "1:1",
    says: "max_batch_size",
    fixed: "max_batch_size: 1",
  },
  {
    title: "camel case field",
    text: "maxBatchSize: 1",
    code: "unknown-field",
    at: "1:1",
    says: "max_batch_size",
    fixed: "max_batch_size: 1",
  },
  {
    title: "optimization_config",
    text: "optimization_config { }",
    code: "unknown-field",
    at: "1:1",
    says: "optimization",
    fixed: "optimization { }",
  },
  {
    title: "field in the wrong block",
    text: "preferred_batch_size: 4",
    code: "unknown-field",
    at: "1:1",
    says: "dynamic_batching { ... }",
  },
  {
    title: "backend_config",
    text: 'backend_config: [ { backend: "python" parameters: { key: "shm-default-size" value: "9" } } ]',
    code: "unknown-field",
    at: "1:1",
    says: "--backend-config=python,shm-default-byte-size=9",
    fixed: "",
  },
  {
    title: "unknown backend",
    text: `backend: "onnx" ${IO}`,
    code: "unknown-backend",
    at: "1:10",
    says: "onnxruntime",
    fixed: `backend: "onnxruntime" ${IO}`,
  },
  {
    title: "unknown platform",
    text: `platform: "onnxruntime" ${IO}`,
    code: "unknown-platform",
    at: "1:11",
    says: "onnxruntime_onnx",
    fixed: `platform: "onnxruntime_onnx" ${IO}`,
  },
  {
    title: "platform of another name",
    text: `platform: "pytorch" ${IO}`,
    code: "unknown-platform",
    at: "1:11",
    says: "pytorch_libtorch",
    fixed: `platform: "pytorch_libtorch" ${IO}`,
  },
  {
    title: "accelerator parameter",
    text: 'optimization { execution_accelerators { gpu_execution_accelerator { name: "tensorrt" parameters { key: "precision" value: "FP16" } } } }',
    code: "unknown-parameter",
    at: "1:104",
    says: "precision_mode",
    fixed:
      'optimization { execution_accelerators { gpu_execution_accelerator { name: "tensorrt" parameters { key: "precision_mode" value: "FP16" } } } }',
  },
  {
    title: "name unlike the directory",
    text: `name: "other" ${IO}`,
    code: "directory-name",
    at: "1:7",
    says: "directory name must equal",
    fixed: `name: "m" ${IO}`,
  },
  {
    title: "preferred size over the maximum",
    text: `max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 2, 8 ] } ${IO}`,
    code: "preferred-batch-size",
    at: "1:65",
    says: "max_batch_size is 4",
    fixed: `max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 2, 4 ] } ${IO}`,
  },
  {
    title: "priority levels without default",
    text: `max_batch_size: 4 dynamic_batching { priority_levels: 3 } ${IO}`,
    code: "priority-levels",
    at: "1:19",
    says: "[1, 3]",
    fixed: `max_batch_size: 4 dynamic_batching { priority_levels: 3 default_priority_level: 1 } ${IO}`,
  },
  {
    title: "empty reshape without dims [1]",
    text: 'max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ 4 ] reshape: { shape: [ ] } }',
    code: "reshape",
    at: "1:70",
    says: "dims: [ 1 ]",
    fixed: 'max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ 4 ] }',
  },
  {
    title: "batch dimension in dims",
    text: 'max_batch_size: 4\ninput { name: "x" data_type: TYPE_FP32 dims: [ -1, 4 ] }\noutput { name: "y" data_type: TYPE_FP32 dims: [ 4 ] }\noutput { name: "z" data_type: TYPE_FP32 dims: [ -1, 4 ] }'.replace(
      "[ 4 ]",
      "[ -1, 9 ]",
    ),
    code: "batch-dimension",
    at: "2:48",
    says: "remove it from dims",
    fixed:
      'max_batch_size: 4\ninput { name: "x" data_type: TYPE_FP32 dims: [ 4 ] }\noutput { name: "y" data_type: TYPE_FP32 dims: [ -1, 9 ] }\noutput { name: "z" data_type: TYPE_FP32 dims: [ -1, 4 ] }',
  },
  {
    title: "decoupled with response cache",
    text: `model_transaction_policy { decoupled: true } response_cache { enable: true } ${IO}`,
    code: "response-cache",
    at: "1:71",
    says: "disable the response cache",
    fixed: `model_transaction_policy { decoupled: true } response_cache { enable: false } ${IO}`,
  },
  {
    title: "KIND_GPU on a CPU host",
    text: `instance_group { kind: KIND_GPU } ${IO}`,
    code: "instance-group",
    at: "1:24",
    says: "no GPUs are available",
    fixed: `instance_group { kind: KIND_CPU } ${IO}`,
  },
  {
    title: "gpus with KIND_CPU",
    text: `instance_group { kind: KIND_CPU gpus: [ 0 ] } ${IO}`,
    code: "instance-group",
    at: "1:39",
    says: "specifies one or more GPUs",
    fixed: `instance_group { kind: KIND_CPU } ${IO}`,
  },
  {
    title: "sequence control with two pairs",
    text: `sequence_batching { control_input { name: "START" control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] fp32_false_true: [ 0, 1 ] } } } ${IO}`,
    code: "sequence-batching",
    at: "1:134",
    says: "remove fp32_false_true",
    fixed: `sequence_batching { control_input { name: "START" control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } } } ${IO}`,
  },
  {
    title: "ensemble with instance group",
    text: `platform: "ensemble" ${IO}\ninstance_group { }\nensemble_scheduling { step { model_name: "a" model_version: -1 input_map { key: "i" value: "x" } output_map { key: "o" value: "y" } } }`,
    code: "ensemble",
    at: "2:1",
    says: "instance group should not be specified",
    fixed: `platform: "ensemble" ${IO}\nensemble_scheduling { step { model_name: "a" model_version: -1 input_map { key: "i" value: "x" } output_map { key: "o" value: "y" } } }`,
  },
  {
    title: "ensemble step without version",
    text: `platform: "ensemble" ${IO}\nensemble_scheduling { step { model_name: "a" input_map { key: "i" value: "x" } output_map { key: "o" value: "y" } } }`,
    code: "ensemble-version",
    at: "2:23",
    says: "model_version: -1",
    fixed: `platform: "ensemble" ${IO}\nensemble_scheduling { step { model_name: "a" input_map { key: "i" value: "x" } output_map { key: "o" value: "y" } model_version: -1 } }`,
  },
];

describe("typical mistakes", () => {
  it.each(MISTAKES.map((mistake) => [mistake.title, mistake] as const))("%s", (_, mistake) => {
    const found = lint(mistake.text).filter((diagnostic) => diagnostic.code === mistake.code);
    const [first] = found;
    expect(first, JSON.stringify(lint(mistake.text), null, 1)).toBeDefined();
    if (first === undefined) return;
    expect(`${first.line}:${first.column}`).toBe(mistake.at);
    expect(`${first.message} ${first.help ?? ""}`).toContain(mistake.says);
    if (mistake.fixed === undefined) {
      expect(first.fix).toBeUndefined();
      return;
    }
    const fixed = applyEdits(mistake.text, first.fix?.edits ?? []);
    expect(fixed).toBe(mistake.fixed);
    const left = lint(fixed).filter((diagnostic) => diagnostic.code === mistake.code);
    expect(left.length).toBeLessThan(found.length);
  });

  it.each(['platform: "tensorrt"', 'backend: "trt"'])("advised %s to what cannot load here: says what can", (text) => {
    expect(lint(text)[0]?.help).toContain("export the model to ONNX");
  });

  it.each(['platform: "pytorch"', 'backend: "torch"', 'backend: "py"'])("does not tell %s to become ONNX", (text) => {
    const [first] = lint(text);
    expect(`${first?.message} ${first?.help ?? ""}`).toContain('backend: "py');
    expect(first?.help ?? "").not.toContain("ONNX");
  });

  it("does not tell ONNX models to become ONNX", () => {
    expect(lint('platform: "onnx"')[0]?.help).not.toContain("export");
  });

  it("keeps reading inside a misnamed block", () => {
    const codes = lint("optimization_config { cuda { graphs: TRUE } }").map((diagnostic) => diagnostic.code);
    expect(codes).toEqual(["unknown-field", "bad-bool"]);
  });
});
