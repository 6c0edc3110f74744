import { setImmediate as turn } from "node:timers/promises";
import type { ModelSpec, TensorSpec } from "@nereid/inference-worker";
import {
  decodeGenerateRequest,
  decodeGenerateRequestInSlices,
  encodeGenerateResponse,
  encodeGenerateResponseInSlices,
  hasLargeJson,
  type InferRequest,
  type InferResponse,
  isLargeJson,
} from "@nereid/protocol";

/** Lets the event loop serve others between two slices of a large message. */
const pause = () => turn();

/** The request in a body of generate; large ones are read in slices. */
export async function decodeGenerate(body: Buffer, spec: ModelSpec, limit: number): Promise<InferRequest> {
  const shapeOf = ({ dims }: TensorSpec) => (spec.maxBatchSize > 0 ? [-1, ...dims] : dims);
  const model = {
    inputs: spec.inputs.map((input) => ({ name: input.name, datatype: input.datatype, shape: shapeOf(input) })),
    maxInputSize: limit,
  };
  return isLargeJson(body.byteLength)
    ? decodeGenerateRequestInSlices(body, model, pause)
    : decodeGenerateRequest(body, model);
}

/** The JSON of one answer; large ones are written in slices. */
export async function encodeGenerate(response: InferResponse): Promise<Buffer> {
  return hasLargeJson(response, { requested: [], binaryDataOutput: false })
    ? encodeGenerateResponseInSlices(response, pause)
    : encodeGenerateResponse(response);
}
