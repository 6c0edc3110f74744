import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { type InferTicket, type ServedVersion, validateRequest } from "@nereid/inference-worker";
import {
  classify,
  decodeInferRequest,
  decodeRawBinaryRequest,
  encodeInferResponse,
  type InferRequest,
  type InferResponse,
  negotiateResponseEncoding,
  parseHeaderLength,
} from "@nereid/protocol";
import { decompress } from "../http/decompress.ts";
import { readBody } from "../http/read-body.ts";
import { sendInfer } from "../http/send-infer.ts";
import type { ServerContext } from "../server-context.ts";

export interface InferTarget {
  readonly model: string;
  readonly version: string | undefined;
}

/** `POST …/infer`: decode, find the model, check, enqueue, wait, encode. Errors are thrown; the caller answers them. */
export async function handleInfer(
  context: ServerContext,
  target: InferTarget,
  exchange: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { request, response } = exchange;
  const raw = await readBody(request);
  const limit = context.options.httpMaxInputSize;
  const encoding = request.headers["content-encoding"];
  const body = encoding === undefined || encoding === "" ? raw : await decompress(raw, encoding, limit);
  // From here to the queue there is no waiting: a swap of versions cannot come between finding a version and using it.
  const served = context.manager.resolve(target.model, target.version);
  const decoded = decode(served, body, { header: headerOf(request), limit });
  const ticket = served.submit(validateRequest(served.spec, decoded));
  const answer = await untilGone(ticket, response);
  let message: ReturnType<typeof encodeInferResponse>;
  try {
    const result = withClasses(served, decoded, answer.response);
    message = encodeInferResponse(result, { requested: decoded.outputs, binaryDataOutput: decoded.binaryDataOutput });
  } catch (error) {
    answer.release();
    throw error;
  }
  await sendInfer(response, message, {
    encoding: negotiateResponseEncoding(acceptEncoding(request)),
    release: answer.release,
  });
}

function decode(served: ServedVersion, body: Buffer, how: { header: string | undefined; limit: number }): InferRequest {
  const { spec } = served;
  const headerLength = parseHeaderLength(how.header, body.byteLength) ?? (body.byteLength === 0 ? 0 : undefined);
  if (headerLength !== 0)
    return decodeInferRequest(body, { headerLength, modelName: spec.name, maxInputSize: how.limit });
  return decodeRawBinaryRequest(body, {
    modelName: spec.name,
    inputs: spec.inputs,
    maxBatchSize: spec.maxBatchSize,
    maxInputSize: how.limit,
  });
}

async function untilGone(ticket: InferTicket, response: ServerResponse) {
  const gone = () => ticket.cancel();
  response.once("close", gone);
  try {
    return await ticket.answer;
  } finally {
    response.off("close", gone);
  }
}

function withClasses(served: ServedVersion, request: InferRequest, response: InferResponse): InferResponse {
  if (!request.outputs.some(({ classification }) => classification > 0)) return response;
  const wanted = new Map(request.outputs.map((output) => [output.name, output]));
  const outputs = response.outputs.map((output) => {
    const wish = wanted.get(output.name);
    if (wish === undefined || wish.classification === 0) return output;
    if (wish.shm !== undefined)
      throw new NereidError("INVALID_ARGUMENT", "Output can't set both 'shared_memory_region' and 'classification'");
    const labels = served.spec.outputByName.get(output.name)?.labels ?? [];
    return classify(output, { k: wish.classification, batching: served.spec.maxBatchSize > 0, labels });
  });
  return { ...response, outputs };
}

function headerOf(request: IncomingMessage): string | undefined {
  const value = request.headers["inference-header-content-length"];
  return Array.isArray(value) ? value[0] : value;
}

function acceptEncoding(request: IncomingMessage): string | undefined {
  const value = request.headers["accept-encoding"];
  return Array.isArray(value) ? value.join(",") : value;
}
