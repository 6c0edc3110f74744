import { setImmediate as turn } from "node:timers/promises";
import type { ModelSpec } from "@nereid/inference-worker";
import {
  decodeInferRequest,
  decodeInferRequestInSlices,
  decodeRawBinaryRequest,
  type EncodedMessage,
  encodeInferResponse,
  encodeInferResponseInSlices,
  hasLargeJson,
  type InferRequest,
  type InferResponse,
  isLargeJson,
  parseHeaderLength,
} from "@nereid/protocol";

/** Lets the event loop serve others between two slices of a large message. */
const pause = () => turn();

export interface DecodeContext {
  readonly spec: ModelSpec;
  /** Value of Inference-Header-Content-Length. */
  readonly header: string | undefined;
  readonly limit: number;
}

/** The request in a body: JSON with or without blobs, or raw binary. Large JSON is read in slices. */
export async function decodeBody(body: Buffer, { spec, header, limit }: DecodeContext): Promise<InferRequest> {
  // An empty body without the header counts as raw binary, as in Triton.
  const headerLength = parseHeaderLength(header, body.byteLength) ?? (body.byteLength === 0 ? 0 : undefined);
  if (headerLength !== 0) {
    const options = { headerLength, modelName: spec.name, maxInputSize: limit };
    return isLargeJson(headerLength ?? body.byteLength)
      ? decodeInferRequestInSlices(body, options, pause)
      : decodeInferRequest(body, options);
  }
  return decodeRawBinaryRequest(body, {
    modelName: spec.name,
    inputs: spec.inputs,
    maxBatchSize: spec.maxBatchSize,
    maxInputSize: limit,
  });
}

/** The answer in the formats the request asks for. Large JSON is written in slices. */
export async function encodeAnswer(response: InferResponse, request: InferRequest): Promise<EncodedMessage> {
  const options = { requested: request.outputs, binaryDataOutput: request.binaryDataOutput };
  return hasLargeJson(response, options)
    ? encodeInferResponseInSlices(response, options, pause)
    : encodeInferResponse(response, options);
}
