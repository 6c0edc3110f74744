import { create, equals, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { arbitraryConfigText } from "../testing/arbitrary-config.ts";
import { read } from "../testing/check.ts";
import { parseModelConfig } from "../text/parse-model-config.ts";
import { editModelConfig } from "./edit-model-config.ts";
import { formatModelConfig } from "./format-model-config.ts";
import type { ConfigEdit } from "./plan-edit.ts";
import { printModelConfig } from "./print-model-config.ts";

function expectSame(left: ModelConfig, right: ModelConfig): void {
  if (equals(ModelConfigSchema, left, right)) return;
  expect(toBinary(ModelConfigSchema, left)).toEqual(toBinary(ModelConfigSchema, right));
}

const COMMENT = /#[^\n]*/g;

describe("formatModelConfig()", () => {
  it("keeps the meaning and every comment, and is idempotent", () => {
    fc.assert(
      fc.property(arbitraryConfigText(), (text) => {
        const formatted = formatModelConfig(text);
        expectSame(read(formatted), read(text));
        expect(formatModelConfig(formatted)).toBe(formatted);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps comments where strings hold no #", () => {
    const noted = arbitraryConfigText().filter((text) => !/["'][^"'\n]*#/.test(text));
    fc.assert(
      fc.property(noted, (text) => {
        const comments = (source: string) =>
          source
            .match(COMMENT)
            ?.flatMap((part) => part.split(/ (?=#)/))
            .map((part) => part.trim()) ?? [];
        expect(comments(formatModelConfig(text)).sort()).toEqual(comments(text).sort());
      }),
      { numRuns: 200 },
    );
  });

  it("lays out a typical file", () => {
    const text = [
      "# head",
      'name:"m", max_batch_size:8 # eight',
      "",
      "",
      'input [{name:"x" data_type:TYPE_FP32 dims:[1,2]}, < # second',
      'name: "y" > ]',
      "dynamic_batching: {}",
      "# end",
    ].join("\n");
    expect(formatModelConfig(text)).toBe(
      [
        "# head",
        'name: "m"',
        "max_batch_size: 8 # eight",
        "",
        "input [",
        "  {",
        '    name: "x"',
        "    data_type: TYPE_FP32",
        "    dims: [ 1, 2 ]",
        "  },",
        "  { # second",
        '    name: "y"',
        "  }",
        "]",
        "dynamic_batching { }",
        "# end",
        "",
      ].join("\n"),
    );
  });

  it("leaves broken text alone", () => {
    expect(formatModelConfig("input {")).toBe("input {");
  });
});

describe("printModelConfig()", () => {
  it("prints what reads back as the same message", () => {
    fc.assert(
      fc.property(arbitraryConfigText(), (text) => {
        const config = read(text);
        expectSame(read(printModelConfig(config)), config);
      }),
      { numRuns: 300 },
    );
  });

  it("prints canonical text", () => {
    const config = create(ModelConfigSchema, {
      name: 'a"b',
      input: [{ name: "x", dims: [1n, -1n] }],
      parameters: { k: { stringValue: "v" } },
    });
    const printed = printModelConfig(config);
    expect(printed).toBe(
      'name: "a\\"b"\ninput [\n  {\n    name: "x"\n    dims: [ 1, -1 ]\n  }\n]\n' +
        'parameters {\n  key: "k"\n  value {\n    string_value: "v"\n  }\n}\n',
    );
    expect(formatModelConfig(printed)).toBe(printed);
    expect(printModelConfig(create(ModelConfigSchema))).toBe("");
  });
});

const TEXT = `# my model
name: "m"   # its name
max_batch_size: 8

input [
  {
    name: "x" # first
    data_type: TYPE_FP32
    dims: [ 3, 224 ]
  }
]
instance_group { kind: KIND_CPU }
metric_tags { key: "a" value: "1" }
dynamic_batching {
  # nothing yet
}
`;

function edited(...edits: ConfigEdit[]): string {
  return editModelConfig(parseModelConfig(TEXT).document, edits);
}

describe("editModelConfig()", () => {
  it("replaces only the value", () => {
    expect(edited({ op: "set", path: "name", value: "n" })).toBe(TEXT.replace('"m"', '"n"'));
    expect(edited({ op: "set", path: "input[0].dims[1]", value: -1 })).toBe(TEXT.replace("224", "-1"));
    expect(edited({ op: "set", path: "input[0].dims", value: [1] })).toBe(TEXT.replace("[ 3, 224 ]", "[ 1 ]"));
    expect(edited({ op: "set", path: 'metric_tags["a"]', value: "2" })).toBe(TEXT.replace('"1"', '"2"'));
  });

  it("adds fields in the layout around them", () => {
    expect(edited({ op: "set", path: "backend", value: "onnxruntime" })).toBe(`${TEXT}backend: "onnxruntime"\n`);
    expect(edited({ op: "set", path: "instance_group[0].count", value: 2 })).toBe(
      TEXT.replace("kind: KIND_CPU }", "kind: KIND_CPU count: 2 }"),
    );
    expect(edited({ op: "set", path: "input[0].optional", value: true })).toBe(
      TEXT.replace("224 ]\n", "224 ]\n    optional: true\n"),
    );
    expect(edited({ op: "set", path: "dynamic_batching.preserve_ordering", value: true })).toContain(
      "dynamic_batching {\n  preserve_ordering: true\n  # nothing yet\n}",
    );
  });

  it("creates the blocks a field needs and removes its oneof rivals", () => {
    const text = edited({ op: "set", path: "sequence_batching.oldest.max_candidate_sequences", value: 4 });
    expect(text).not.toContain("dynamic_batching");
    expect(read(text).schedulingChoice).toMatchObject({ case: "sequenceBatching" });
    expect(text).toContain("  oldest {\n    max_candidate_sequences: 4\n  }\n");
  });

  it("removes fields with their line, elements with their comma", () => {
    expect(edited({ op: "remove", path: "max_batch_size" })).toBe(TEXT.replace("max_batch_size: 8\n", ""));
    expect(edited({ op: "remove", path: "input[0].dims[0]" })).toBe(TEXT.replace("3, ", ""));
    expect(edited({ op: "remove", path: "input[0].dims[1]" })).toBe(TEXT.replace(", 224", ""));
    expect(edited({ op: "remove", path: 'metric_tags["a"]' })).not.toContain("metric_tags");
    expect(edited({ op: "remove", path: "output" })).toBe(TEXT);
  });

  it("appends to lists and repeated fields", () => {
    expect(edited({ op: "append", path: "input[0].dims", value: 7 })).toBe(TEXT.replace("224 ]", "224, 7 ]"));
    const groups = edited({ op: "append", path: "instance_group", value: { kind: "KIND_GPU", gpus: [0] } });
    expect(read(groups).instanceGroup.map((group) => group.gpus)).toEqual([[], [0]]);
    const inputs = edited({ op: "append", path: "input", value: { name: "y" } });
    expect(inputs).toContain('  },\n  {\n    name: "y"\n  }\n]');
    expect(read(edited({ op: "append", path: "output", value: { name: "o" } })).output[0]?.name).toBe("o");
    expect(
      read(edited({ op: "set", path: 'parameters["p"]', value: { string_value: "v" } })).parameters["p"]?.stringValue,
    ).toBe("v");
  });

  it.each<ConfigEdit>([
    { op: "set", path: "bogus", value: 1 },
    { op: "set", path: "a b", value: 1 },
    { op: "set", path: "name", value: 1 },
    { op: "set", path: "name[0]", value: "x" },
    { op: "set", path: "input[4]", value: {} },
    { op: "set", path: "input[0].data_type", value: "FP32" },
    { op: "set", path: "input[0]", value: { bogus: 1 } },
    { op: "append", path: "name", value: "x" },
  ])("refuses %j", (edit) => {
    expect(() => edited(edit)).toThrow(/cannot write|no field|not a|does not exist/);
  });

  it("hits its target and nothing else in any layout", () => {
    fc.assert(
      fc.property(arbitraryConfigText(), (text) => {
        const before = read(text);
        const after = read(
          editModelConfig(parseModelConfig(text).document, [
            { op: "set", path: "max_batch_size", value: 7 },
            { op: "set", path: "optimization.cuda.graphs", value: true },
            { op: "append", path: "input", value: { name: "added", dims: [1] } },
            { op: "append", path: "output", value: { name: "added" } },
            { op: "set", path: "ensemble_scheduling.max_inflight_requests", value: 3 },
            { op: "remove", path: "instance_group" },
            { op: "remove", path: "input[0]" },
            { op: "set", path: 'parameters["added"].string_value', value: "v" },
          ]),
        );
        expect(after.maxBatchSize).toBe(7);
        expect(after.optimization?.cuda?.graphs).toBe(true);
        expect(after.input.length).toBe(before.input.length);
        expect(after.output.at(-1)?.name).toBe("added");
        expect(after.schedulingChoice).toMatchObject({ case: "ensembleScheduling", value: { maxInflightRequests: 3 } });
        expect(after.instanceGroup).toEqual([]);
        expect(after.parameters["added"]?.stringValue).toBe("v");
        expect({ ...after.parameters, added: undefined }).toEqual({ ...before.parameters, added: undefined });
        expect(after.modelWarmup).toEqual(before.modelWarmup);
        expect(after.batchInput).toEqual(before.batchInput);
        expect(after.name).toBe(before.name);
      }),
      { numRuns: 300 },
    );
  });

  it("refuses to edit broken text", () => {
    const { document } = parseModelConfig("input {");
    expect(() => editModelConfig(document, [{ op: "set", path: "name", value: "x" }])).toThrow(/syntax errors/);
  });
});
