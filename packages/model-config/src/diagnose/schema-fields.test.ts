import { describe, expect, it } from "vitest";
import { schemaField, schemaFields } from "./schema-fields.ts";

describe("schemaFields", () => {
  it("knows the top of the file and blocks in it", () => {
    expect(schemaField([], "max_batch_size")).toMatchObject({ kind: "scalar", type: "int32", repeated: false });
    expect(schemaField(["input"], "data_type")).toMatchObject({ kind: "enum", type: "DataType" });
    expect(schemaField(["input"], "data_type")?.values).toContain("TYPE_FP32");
    expect(schemaField([], "dynamic_batching")?.rivals).toEqual(["sequence_batching", "ensemble_scheduling"]);
    expect(schemaField(["response_cache"], "enable")?.values).toEqual(["true", "false"]);
  });

  it("opens the entries of maps", () => {
    expect(schemaFields(["parameters"])?.map(({ name }) => name)).toEqual(["key", "value"]);
    expect(schemaField(["parameters", "value"], "string_value")?.path).toBe("parameters.string_value");
    expect(schemaFields(["metric_tags", "value"])).toBeUndefined();
  });

  it("knows nothing of blocks that are not there", () => {
    expect(schemaFields(["nonsense"])).toBeUndefined();
    expect(schemaFields(["max_batch_size"])).toBeUndefined();
  });
});
