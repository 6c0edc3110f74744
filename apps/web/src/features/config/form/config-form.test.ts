import { diagnoseConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { changeForm, type FormChange, readForm } from "./config-form.ts";
import type { FormField } from "./form-types.ts";

const TEXT = `# Digits.
backend: "onnxruntime"
max_batch_size: 8 # measured
input [ { name: "image" data_type: TYPE_FP32 dims: [ 784 ] reshape { shape: [ 28, 28 ] } } ]
output [ { name: "probabilities" data_type: TYPE_FP32 dims: [ 10 ] } ]
dynamic_batching {
  preferred_batch_size: [ 4, 8 ]
  preserve_ordering: true
}
version_policy { all { } }
parameters { key: "memory_limit_bytes" value { string_value: "1" } }
`;
const NAMES = { inputs: ["image"], outputs: ["probabilities"] };

function formOf(text: string) {
  const form = readForm(text, NAMES);
  if (form.kind === "broken") throw new Error("broken");
  return form;
}

function fieldAt(text: string, path: string): FormField {
  const fields = formOf(text).sections.flatMap(({ fields, lists }) => [
    ...fields,
    ...lists.flatMap((list) => list.items.flatMap((item) => item.fields)),
  ]);
  const field = fields.find((one) => one.path === path);
  if (field === undefined) throw new Error(`no ${path} among ${fields.map((one) => one.path).join(" ")}`);
  return field;
}

function after(text: string, change: FormChange): string {
  const result = changeForm(text, change);
  if (!result.ok) throw new Error(result.message);
  return result.text;
}
const set = (text: string, path: string, value: string | boolean) =>
  after(text, { op: "set", field: fieldAt(text, path), value });

describe("readForm", () => {
  it("shows what is written", () => {
    expect(fieldAt(TEXT, "max_batch_size").value).toBe("8");
    expect(fieldAt(TEXT, "input[0].dims").value).toBe("784");
    expect(fieldAt(TEXT, "output[0].data_type").value).toBe("TYPE_FP32");
    expect(fieldAt(TEXT, "scheduler").value).toBe("dynamic");
    expect(fieldAt(TEXT, "policy").value).toBe("all");
    expect(fieldAt(TEXT, "dynamic_batching.max_queue_delay_microseconds").value).toBe("");
  });

  it("names what has to be edited in the text, with its line", () => {
    expect(formOf(TEXT).rest.map(({ path, line }) => `${line} ${path}`)).toEqual([
      "4 input.reshape",
      "8 dynamic_batching.preserve_ordering",
      "11 parameters",
    ]);
    expect(formOf("").rest).toEqual([]);
  });

  it("has no form for a text with mistakes", () => {
    expect(readForm("max_batch_size = 8\nx: 1", NAMES)).toEqual({ kind: "broken", mistakes: 2 });
  });
});

describe("changeForm", () => {
  it("keeps comments and everything else", () => {
    expect(set(TEXT, "max_batch_size", "16")).toBe(TEXT.replace("size: 8", "size: 16"));
    expect(set(TEXT, "input[0].dims", "[1, 28 28]")).toBe(TEXT.replace("[ 784 ]", "[ 1, 28, 28 ]"));
    expect(set(TEXT, "dynamic_batching.preferred_batch_size", "")).toBe(
      TEXT.replace("  preferred_batch_size: [ 4, 8 ]\n", ""),
    );
  });

  it("writes blocks that are not there yet", () => {
    const text = set(TEXT, "dynamic_batching.default_queue_policy.max_queue_size", "100");
    expect(fieldAt(text, "dynamic_batching.default_queue_policy.max_queue_size").value).toBe("100");
    const level = set("", "optimization.graph.level", "1");
    expect(fieldAt(level, "optimization.graph.level").value).toBe("1");
  });

  it("switches the scheduler and the policy", () => {
    const none = set(TEXT, "scheduler", "");
    expect(none).not.toContain("dynamic_batching");
    expect(fieldAt(set(none, "scheduler", "dynamic"), "scheduler").value).toBe("dynamic");
    const specific = set(TEXT, "policy", "specific");
    expect(fieldAt(specific, "version_policy.specific.versions").value).toBe("1");
    expect(fieldAt(set(specific, "policy", ""), "policy").value).toBe("");
  });

  it("adds and removes", () => {
    for (const { lists } of formOf(TEXT).sections) {
      for (const list of lists) {
        const more = after(TEXT, { op: "add", list });
        const found = formOf(more)
          .sections.flatMap((section) => section.lists)
          .find(({ path }) => path === list.path);
        expect(found?.items.length, list.path).toBe(list.items.length + 1);
        const less = after(more, { op: "remove", path: found?.items.at(-1)?.path ?? "" });
        expect(
          diagnoseConfig({ text: less, modelName: "m", graph: null }).filter(({ severity }) => severity === "error"),
        ).toEqual([]);
      }
    }
  });

  it("refuses what is not a number, and says so", () => {
    const field = fieldAt(TEXT, "max_batch_size");
    expect(changeForm(TEXT, { op: "set", field, value: "eight" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("whole number"),
    });
    expect(changeForm(TEXT, { op: "set", field: fieldAt(TEXT, "input[0].dims"), value: "1, x" }).ok).toBe(false);
  });
});
