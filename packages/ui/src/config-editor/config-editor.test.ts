import { schemaField } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { completeConfig } from "./complete/complete-config.ts";
import { KNOWN_VALUES } from "./complete/known-values.ts";
import { describeField } from "./hover/describe-field.ts";
import { FIELD_DOCS } from "./hover/field-docs.ts";
import { foldRange, indentOf } from "./language/layout-of-lines.ts";
import { scanConfig } from "./language/scan-config.ts";
import { lintMarks } from "./lint/lint-marks.ts";

/** Splits at the cursor mark. */
function at(marked: string): [string, number] {
  const position = marked.indexOf("|");
  return [marked.slice(0, position) + marked.slice(position + 1), position];
}
const labels = (marked: string) => completeConfig(...at(marked))?.options.map(({ label }) => label) ?? [];
const template = (marked: string, label: string) =>
  completeConfig(...at(marked))?.options.find((option) => option.label === label)?.template;

describe("scanConfig", () => {
  it.each([
    ["|", [], "field"],
    ["max_batch|", [], "field"],
    ["max_batch_size: |", [], "value"],
    ["max_batch_size |", [], "none"],
    ["# a comment |", [], "comment"],
    ["input {\n  |\n}", ["input"], "field"],
    ["input [\n  {\n    |\n  }\n]", ["input"], "field"],
    ["input: [ { dims: [ 1 ] } , { | } ]", ["input"], "field"],
    ["input < na| >", ["input"], "field"],
    ["dims: [ |", [], "value"],
    ['backend: "on|"', [], "value"],
    ['name: "a { b" |', [], "field"],
    ['parameters { key: "x" value { | } }', ["parameters", "value"], "field"],
    ["input { } output { reshape { shape: [ ] } | }", ["output"], "field"],
    ["dynamic_batching { } }\n|", [], "field"],
  ])("%s", (marked, blocks, kind) => {
    const found = scanConfig(...at(marked));
    expect(found.blocks).toEqual(blocks);
    expect(found.at.kind).toBe(kind);
  });

  it("knows what the block has already, also below the cursor", () => {
    expect([...scanConfig(...at("name: 1\nma|\nbackend: 2")).used].sort()).toEqual(["backend", "name"]);
  });
});

describe("completeConfig", () => {
  it("offers the fields of the block, without those that are there or excluded", () => {
    expect(labels("|")).toContain("max_batch_size");
    expect(labels("max_batch_size: 8\n|")).not.toContain("max_batch_size");
    expect(labels("dynamic_batching { }\n|")).not.toContain("sequence_batching");
    expect(labels("input { }\n|")).toContain("input");
    expect(labels("instance_group [ { | } ]")).toEqual(expect.arrayContaining(["count", "kind", "gpus"]));
    expect(labels("instance_group { | }")).not.toContain("dims");
    expect(labels("nonsense { | }")).toEqual([]);
  });

  it("offers values", () => {
    expect(labels("instance_group { kind: | }")).toEqual(["KIND_AUTO", "KIND_GPU", "KIND_CPU", "KIND_MODEL"]);
    expect(labels("input { data_type: TYPE_F| }")).toContain("TYPE_FP32");
    expect(labels("response_cache { enable: | }")).toEqual(["true", "false"]);
    expect(labels('parameters { key: "|" }')).toContain("memory_limit_bytes");
    expect(labels('parameters { key: "x" value: "|" }')).toEqual([]);
    expect(labels('instance_group { kind: "|" }')).toEqual([]);
  });

  it("quotes strings once", () => {
    expect(template("backend: |", "onnxruntime")).toBe('"onnxruntime"');
    expect(template('backend: "|"', "onnxruntime")).toBe("onnxruntime");
  });

  it("knows the graph's names", () => {
    const [text, position] = at('input { name: "|" }');
    const found = completeConfig(text, position, { inputs: ["image"], outputs: ["label"] });
    expect(found?.options.map(({ label }) => label)).toEqual(["image"]);
  });

  it("writes fields as they are written", () => {
    expect(template("|", "max_batch_size")).toBe("max_batch_size: #{}");
    expect(template("|", "dynamic_batching")).toBe("dynamic_batching {\n\t#{}\n}");
    expect(template("|", "input")).toBe("input [\n\t{\n\t\t#{}\n\t}\n]");
    expect(template("input { | }", "dims")).toBe("dims: [ #{} ]");
    expect(template("|", "parameters")).toBe('parameters {\n\tkey: "#{}"\n\tvalue { string_value: "#{}" }\n}');
    expect(template("|", "metric_tags")).toBe('metric_tags {\n\tkey: "#{}"\n\tvalue: "#{}"\n}');
  });
});

describe("documentation", () => {
  const paths = [...Object.keys(FIELD_DOCS), ...Object.keys(KNOWN_VALUES)];
  const isMap = (blocks: readonly string[], name: string) => schemaField(blocks, name)?.kind === "map";

  it("is there for the fields people use, and for no others", () => {
    expect(Object.keys(FIELD_DOCS).length).toBeGreaterThanOrEqual(80);
    for (const path of paths) {
      const names = path.split(".");
      const last = names.pop() ?? "";
      const blocks: string[] = [];
      for (const name of names) blocks.push(...(isMap(blocks, name) ? [name, "value"] : [name]));
      expect(schemaField(blocks, last)?.path, path).toBe(path);
    }
  });

  it("describes the name under the mouse", () => {
    expect(describeField(...at("dynamic_batching { max_queue|_delay_microseconds: 1 }"))).toMatchObject({
      path: "dynamic_batching.max_queue_delay_microseconds",
      type: "uint64",
      text: expect.stringContaining("microseconds"),
    });
    expect(describeField(...at("|max_batch_size: 8"))?.name).toBe("max_batch_size");
    expect(describeField(...at("instance_group { kind: KIND_|CPU }"))).toBeNull();
    expect(describeField(...at("# max_batch|_size"))).toBeNull();
    expect(describeField(...at("input { dims: [ 1| ] }"))).toBeNull();
  });
});

describe("layout", () => {
  it("indents by open brackets, not by those in strings and comments", () => {
    expect(indentOf("input [\n  {\n", "dims", 2)).toBe(4);
    expect(indentOf("input [\n  {\n", "  }", 2)).toBe(2);
    expect(indentOf('name: "{" # [\n', "x", 2)).toBe(0);
  });

  it("folds what a line opens and another closes", () => {
    const text = "input [\n  { dims: 1 }\n]\nname: 1";
    expect(foldRange(text, 0)).toEqual({ from: 7, to: text.indexOf("]") });
    expect(foldRange(text, 8)).toBeNull();
  });
});

describe("lintMarks", () => {
  const finding = { offset: 3, endOffset: 3, severity: "error", code: "name", message: "no" } as const;

  it("never marks nothing, and nothing outside", () => {
    expect(lintMarks([finding], 10)[0]).toMatchObject({ from: 3, to: 4 });
    expect(lintMarks([finding], 3)[0]).toMatchObject({ from: 2, to: 3 });
    expect(lintMarks([finding], 0)[0]).toMatchObject({ from: 0, to: 0 });
  });

  it("drops a fix that is for a longer text", () => {
    const fix = { title: "t", edits: [{ offset: 0, endOffset: 8, text: "" }] };
    expect(lintMarks([{ ...finding, fix }], 5)[0]?.fix).toBeUndefined();
    expect(lintMarks([{ ...finding, fix }], 8)[0]?.fix).toBe(fix);
  });
});
