import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { type InferTicket, type ServedVersion, validateRequest } from "@nereid/inference-worker";
import {
  classify,
  type EncodedMessage,
  type InferRequest,
  type InferResponse,
  negotiateResponseEncoding,
} from "@nereid/protocol";
import type { BodyShare } from "../http/body-budget.ts";
import { BodyPlace } from "../http/body-place.ts";
import { decompress } from "../http/decompress.ts";
import { readBody } from "../http/read-body.ts";
import { sendInfer } from "../http/send-infer.ts";
import type { ServerContext } from "../server-context.ts";
import { decodeBody, encodeAnswer } from "./infer-codec.ts";

export interface InferTarget {
  readonly model: string;
  readonly version: string | undefined;
}

/** `POST …/infer`: decode, find the model, check, enqueue, wait, encode. Errors are thrown; the caller answers them. */
export async function handleInfer(
  context: ServerContext,
  target: InferTarget,
  exchange: { request: IncomingMessage; response: ServerResponse; share: BodyShare },
): Promise<void> {
  const place = new BodyPlace(context, target, headerOf(exchange.request));
  try {
    const body = await readBody(exchange.request, {
      receive: (byteLength) => place.take(byteLength),
      share: exchange.share,
    });
    await answerInfer(context, target, { ...exchange, body });
  } finally {
    place.release();
  }
}

async function answerInfer(
  context: ServerContext,
  target: InferTarget,
  exchange: { request: IncomingMessage; response: ServerResponse; body: Buffer },
): Promise<void> {
  const { request, response } = exchange;
  const limit = context.options.httpMaxInputSize;
  const body = await decompress(exchange.body, request.headers["content-encoding"], limit);
  // An unknown model is said before anything about the body.
  const { spec } = context.manager.resolve(target.model, target.version);
  const decoded = await decodeBody(body, { spec, header: headerOf(request), limit });
  if (response.destroyed) return;
  // From here to the queue there is no waiting: a swap of versions cannot come between finding a version and using it.
  const served = context.manager.resolve(target.model, target.version);
  const ticket = served.submit(validateRequest(served.spec, decoded));
  const answer = await untilGone(ticket, response);
  let message: EncodedMessage;
  try {
    message = await encodeAnswer(withClasses(served, decoded, answer.response), decoded);
  } catch (error) {
    answer.release();
    throw error;
  }
  await sendInfer(response, message, {
    encoding: negotiateResponseEncoding(acceptEncoding(request)),
    release: answer.release,
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
