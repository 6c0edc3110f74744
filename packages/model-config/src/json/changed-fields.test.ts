import { describe, expect, it } from "vitest";
import { parseModelConfig } from "../text/parse-model-config.ts";
import { changedFields } from "./changed-fields.ts";

function read(text: string) {
  const { config } = parseModelConfig(text, { file: "config.pbtxt" });
  if (config === undefined) throw new Error("does not parse");
  return config;
}

describe("changedFields()", () => {
  it("names the paths that differ, and only those", () => {
    const before = read('name: "m" max_batch_size: 4 instance_group [{ count: 1 kind: KIND_CPU }]');
    const after = read('name: "m" max_batch_size: 8 instance_group [{ count: 2 kind: KIND_CPU }]');
    expect(changedFields(before, after)).toEqual(["max_batch_size", "instance_group[0].count"]);
    expect(changedFields(before, before)).toEqual([]);
  });

  it("names a list of another length and a message that came as a whole", () => {
    const before = read("dynamic_batching { preferred_batch_size: [4] }");
    expect(changedFields(before, read("dynamic_batching { preferred_batch_size: [4, 8] }"))).toEqual([
      "dynamic_batching.preferred_batch_size",
    ]);
    expect(changedFields(read("max_batch_size: 4"), read("max_batch_size: 4 dynamic_batching {}"))).toContain(
      "dynamic_batching",
    );
  });
});
