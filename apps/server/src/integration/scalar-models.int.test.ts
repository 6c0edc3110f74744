import { onnxModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import type { TestModel } from "../testing/test-model.ts";

function model(name: string, inputDims: readonly number[], outputDims: readonly number[], op: string): TestModel {
  const graph = onnxModel({
    name,
    inputs: [{ name: "x", type: "FLOAT", dims: inputDims }],
    outputs: [{ name: "y", type: "FLOAT", dims: outputDims }],
    nodes: [{ op, inputs: ["x"], outputs: ["y"], attributes: op === "ReduceSum" ? { keepdims: 0 } : {} }],
  });
  return { name, files: { "1/model.onnx": graph } };
}

const FULL_CONFIG = `backend: "onnxruntime"
input { name: "x" data_type: TYPE_FP32 dims: [ 1 ] }
output { name: "y" data_type: TYPE_FP32 dims: [ 1 ] }
`;

describe("models with scalars, without batching", () => {
  let server: TestServer;

  beforeAll(async () => {
    const given = model("scalar_given", [], [], "Neg");
    server = await startTestServer({
      models: [
        model("scalar_both", [], [], "Neg"),
        model("scalar_out", [3], [], "ReduceSum"),
        { ...given, files: { ...given.files, "config.pbtxt": FULL_CONFIG } },
      ],
    });
  }, 60_000);

  afterAll(() => server.dispose());

  it.each([
    ["scalar_both", [5], [-5]],
    ["scalar_given", [5], [-5]],
    ["scalar_out", [1, 2, 3], [6]],
  ])("every inference of %s failed in the engine: it answers", async (name, data, result) => {
    const body = JSON.stringify({ inputs: [{ name: "x", datatype: "FP32", shape: [data.length], data }] });
    const reply = await server.api.call(`/v2/models/${name}/infer`, { method: "POST", body });
    expect(JSON.parse(reply.text)).toMatchObject({ outputs: [{ name: "y", shape: [1], data: result }] });
  });

  it("says only once that a config override is invalid", async () => {
    const body = JSON.stringify({ parameters: { config: '{"bogus": 1}' } });
    const reply = await server.api.call("/v2/repository/models/scalar_both/load", { method: "POST", body });
    expect(reply.text.match(/Invalid config override/g)).toHaveLength(1);
  });
});
