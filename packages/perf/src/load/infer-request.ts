import { encodeInferMessage } from "@nereid/grpc";
import { encodeInferRequest, type InferInput, type InferRequest, NO_CONTROLS } from "@nereid/protocol";
import { postRequest } from "./http-connection.ts";

export interface FloatInput {
  readonly name: string;
  readonly shape: readonly number[];
  readonly value: number;
}

function requestOf(input: FloatInput): InferRequest {
  const elements = input.shape.reduce((product, dim) => product * dim, 1);
  const floats = new Float32Array(elements).fill(input.value);
  const tensor: InferInput = {
    name: input.name,
    datatype: "FP32",
    shape: input.shape,
    data: { kind: "bytes", bytes: new Uint8Array(floats.buffer) },
  };
  return {
    id: "",
    modelParameters: new Map(),
    controls: NO_CONTROLS,
    binaryDataOutput: true,
    inputs: [tensor],
    outputs: [],
  };
}

/** One FP32 input filled with a value, as a framed ModelInferRequest. */
export function floatMessage(model: string, input: FloatInput): Buffer {
  return Buffer.concat(encodeInferMessage(requestOf(input), { modelName: model, modelVersion: "" }).pieces);
}

/** One FP32 input filled with a value, as a binary V2 request ready to be written to a connection. */
export function floatRequest(model: string, input: FloatInput): Buffer {
  const message = encodeInferRequest(requestOf(input), { binary: () => true });
  const body = Buffer.concat([message.json, ...message.blobs]);
  return postRequest(`/v2/models/${model}/infer`, body, {
    "Inference-Header-Content-Length": message.headerLength ?? message.json.byteLength,
  });
}
