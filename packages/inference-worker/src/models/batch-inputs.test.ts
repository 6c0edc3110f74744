import { describe, expect, it } from "vitest";
import type { ValidRequest } from "../request/valid-request.ts";
import { makeBatchInputs } from "./batch-inputs.ts";
import type { BatchInputKind, TensorSpec } from "./model-spec.ts";

const source: TensorSpec = {
  name: "VALUES",
  datatype: "FP32",
  dims: [-1],
  modelDims: [-1],
  variable: false,
  optional: false,
  labels: [],
  ragged: true,
};

const request = (...shape: number[]) =>
  ({ batchSize: shape[0], inputs: [{ spec: source, shape, bytes: new Uint8Array() }] }) as unknown as ValidRequest;

function made(kind: BatchInputKind, requests: readonly ValidRequest[], datatype: "INT32" | "FP32" = "INT32") {
  const [tensor] = makeBatchInputs([{ kind, targets: ["T"], datatype, source: "VALUES" }], requests);
  if (tensor === undefined) throw new Error("nothing made");
  const { buffer } = tensor.bytes;
  return {
    shape: tensor.shape,
    values: [...(datatype === "INT32" ? new Int32Array(buffer) : new Float32Array(buffer))],
  };
}

const THREE_FOUR_FIVE = [request(1, 3), request(1, 4), request(1, 5)];

describe("batch inputs of requests with 3, 4 and 5 elements", () => {
  it.each([
    ["BATCH_ELEMENT_COUNT", [3], [3, 4, 5]],
    ["BATCH_ACCUMULATED_ELEMENT_COUNT", [3], [3, 7, 12]],
    ["BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO", [4], [0, 3, 7, 12]],
    ["BATCH_ITEM_SHAPE", [3, 1], [3, 4, 5]],
    ["BATCH_ITEM_SHAPE_FLATTEN", [3], [3, 4, 5]],
  ] as const)("%s", (kind, shape, values) => {
    expect(made(kind, THREE_FOUR_FIVE)).toEqual({ shape, values });
    expect(made(kind, THREE_FOUR_FIVE, "FP32")).toEqual({ shape, values });
  });

  it("BATCH_MAX_ELEMENT_COUNT_AS_SHAPE says its value by its shape", () => {
    expect(made("BATCH_MAX_ELEMENT_COUNT_AS_SHAPE", THREE_FOUR_FIVE).shape).toEqual([5]);
  });

  it("tells the shape of every item of a request that is a batch itself", () => {
    expect(made("BATCH_ITEM_SHAPE", [request(2, 4, 6), request(1, 5, 7)])).toEqual({
      shape: [3, 2],
      values: [4, 6, 4, 6, 5, 7],
    });
  });
});
