import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { DataType, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { completeFromScript } from "./complete-from-script.ts";

const IN = { name: "IN", datatype: "FP32", dims: [4] } as const;
const OUT = { name: "OUT", datatype: "INT8", dims: [-1] } as const;

/** Configured: input IN without anything else, no outputs, batches of 2. */
const configured = (backend: string) =>
  create(ModelConfigSchema, { name: "m", backend, maxBatchSize: 2, input: [{ name: "IN" }] });

describe("what a model says of itself", () => {
  it("completes the configuration of a Python model tensor by tensor", () => {
    const more = { name: "MORE", datatype: "BYTES", dims: [1], optional: true } as const;
    const config = configured("python");
    const completed = completeFromScript(config, { inputs: [IN, more], outputs: [OUT], config: { maxBatchSize: 8 } });
    expect(completed.input.map(({ name, dataType, dims, optional }) => [name, dataType, dims, optional])).toEqual([
      ["IN", DataType.TYPE_FP32, [4n], false],
      ["MORE", DataType.TYPE_STRING, [1n], true],
    ]);
    expect(completed.output.map(({ name }) => name)).toEqual(["OUT"]);
    expect(completed.maxBatchSize).toBe(8);
    expect(config.input[0]?.dims).toEqual([]);
  });

  it("completes that of a JavaScript model only where it is silent as a whole", () => {
    const completed = completeFromScript(configured("javascript"), {
      inputs: [IN, { ...IN, name: "MORE" }],
      outputs: [OUT],
      config: { maxBatchSize: 8 },
    });
    expect(completed.input.map(({ name, dims }) => [name, dims])).toEqual([["IN", []]]);
    expect(completed.output.map(({ name }) => name)).toEqual(["OUT"]);
    expect(completed.maxBatchSize).toBe(2);
  });
});
