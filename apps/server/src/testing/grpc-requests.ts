import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ModelInferRequest, ModelInferRequestSchema } from "@nereid/grpc";

export type InferInit = Exclude<MessageInitShape<typeof ModelInferRequestSchema>, ModelInferRequest>;

/** FP32 rows for the models of the tests (`QUESTION` of `offset`, or another input). */
export function floatRequest(
  model: string,
  rows: readonly (readonly number[])[],
  more: InferInit & { input?: string } = {},
): InferInit {
  const { input = "QUESTION", ...rest } = more;
  const values = Float32Array.from(rows.flat());
  return {
    modelName: model,
    inputs: [{ name: input, datatype: "FP32", shape: [BigInt(rows.length), BigInt(rows[0]?.length ?? 0)] }],
    rawInputContents: [new Uint8Array(values.buffer)],
    ...rest,
  };
}

/** One number of turns for the model that is as slow as asked. */
export function turnsRequest(model: string, turns: number, more: InferInit = {}): InferInit {
  return {
    modelName: model,
    inputs: [{ name: "TURNS", datatype: "INT64", shape: [1n, 1n] }],
    rawInputContents: [new Uint8Array(BigInt64Array.of(BigInt(turns)).buffer)],
    ...more,
  };
}

export function floatsOf(raw: Uint8Array | undefined): readonly number[] {
  const copy = Uint8Array.from(raw ?? []);
  return [...new Float32Array(copy.buffer)];
}
