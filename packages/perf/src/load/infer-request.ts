import { encodeInferRequest, type InferInput, NO_CONTROLS } from "@nereid/protocol";
import { postRequest } from "./http-connection.ts";

/** One FP32 input filled with a value, as a binary V2 request ready to be written to a connection. */
export function floatRequest(
  model: string,
  input: { readonly name: string; readonly shape: readonly number[]; readonly value: number },
): Buffer {
  const elements = input.shape.reduce((product, dim) => product * dim, 1);
  const floats = new Float32Array(elements).fill(input.value);
  const tensor: InferInput = {
    name: input.name,
    datatype: "FP32",
    shape: input.shape,
    data: { kind: "bytes", bytes: new Uint8Array(floats.buffer) },
  };
  const message = encodeInferRequest(
    {
      id: "",
      modelParameters: new Map(),
      controls: NO_CONTROLS,
      binaryDataOutput: true,
      inputs: [tensor],
      outputs: [],
    },
    { binary: () => true },
  );
  const body = Buffer.concat([message.json, ...message.blobs]);
  return postRequest(`/v2/models/${model}/infer`, body, {
    "Inference-Header-Content-Length": message.headerLength ?? message.json.byteLength,
  });
}
