import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import type { InferTicket } from "@nereid/inference-worker";
import { type EncodedMessage, type InferRequest, negotiateResponseEncoding } from "@nereid/protocol";
import { BodyPlace } from "../http/body-place.ts";
import { decompress } from "../http/decompress.ts";
import { oneHeader } from "../http/one-header.ts";
import { readBody } from "../http/read-body.ts";
import { sendInfer } from "../http/send-infer.ts";
import { serverTiming } from "../http/server-timing.ts";
import { asAsked, toldBy } from "../inference/asked-name.ts";
import { forwardedParameters } from "../inference/forward-headers.ts";
import { holdModel } from "../inference/hold-model.ts";
import { startInference } from "../inference/start-inference.ts";
import type { ServerContext } from "../server-context.ts";
import type { Exchange } from "./exchange.ts";
import { decodeBody, encodeAnswer } from "./infer-codec.ts";

const NS_PER_MS = 1e6;
const NOTHING: ReadonlyMap<string, string> = new Map();

export interface InferTarget {
  readonly model: string;
  readonly version: string | undefined;
}

/** `POST …/infer`: decode, find the model, check, enqueue, wait, encode. Errors are thrown; the caller answers them. */
export async function handleInfer(context: ServerContext, target: InferTarget, exchange: Exchange): Promise<void> {
  const startNs = context.clock.nowNs();
  const place = new BodyPlace(context, target, headerOf(exchange.request));
  try {
    const body = await readBody(exchange.request, {
      receive: (byteLength) => place.take(byteLength),
      share: exchange.share,
    });
    const hold = await holdModel(context, target.model, exchange.response);
    try {
      await answerInfer(context, target, { ...exchange, body, startNs });
    } finally {
      hold?.release();
    }
  } finally {
    place.release();
  }
}

async function answerInfer(
  context: ServerContext,
  target: InferTarget,
  exchange: Exchange & { readonly body: Buffer; readonly startNs: number },
): Promise<void> {
  const { request, response } = exchange;
  const receivedNs = context.clock.nowNs();
  const limit = context.options.httpMaxInputSize;
  const body = await decompress(exchange.body, request.headers["content-encoding"], limit);
  // An unknown model is said before anything about the body.
  const { sticky } = stickyOf(context, target.model, request);
  const { spec } = context.manager.resolve(target.model, target.version, { traffic: "peek", sticky });
  const decoded = await decodeBody(body, { spec: asAsked(spec, target.model), header: headerOf(request), limit });
  const forwarded = forwardedHeaders(request, context.options.httpForwardPattern);
  if (response.destroyed) return;
  const ticket = startInference(context, {
    ...target,
    request: forwarded.size === 0 ? decoded : withParameters(decoded, forwarded),
    sticky,
    told: toldBy(spec, target.model),
    deadlineNs: deadlineOf(request, exchange.startNs),
    singleAnswer: "HTTP end point doesn't support models with decoupled transaction policy",
    traceparent: oneHeader(request.headers["traceparent"]),
    received: [
      ["HTTP_RECV_START", exchange.startNs],
      ["HTTP_RECV_END", receivedNs],
    ],
  });
  const { trace } = ticket;
  exchange.watch.inference(ticket.modelVersion, decoded.id);
  try {
    const answer = await untilGone(ticket, response);
    exchange.watch.answered(answer);
    let message: EncodedMessage;
    try {
      message = await encodeAnswer(answer.response, decoded);
    } catch (error) {
      answer.release();
      throw error;
    }
    trace?.stamp("HTTP_SEND_START", context.clock.nowNs());
    await sendInfer(response, message, {
      encoding: negotiateResponseEncoding(acceptEncoding(request)),
      release: answer.release,
      timing:
        request.headers["nereid-timing"] === "1"
          ? serverTiming({ startNs: exchange.startNs, receivedNs, moments: answer.moments })
          : undefined,
    });
    const sentNs = context.clock.nowNs();
    trace?.stamp("HTTP_SEND_END", sentNs);
    if (answer.flight !== undefined) {
      answer.flight.receiveNs = receivedNs - exchange.startNs;
      answer.flight.writeNs = sentNs - answer.moments.endNs;
    }
  } finally {
    trace?.end();
  }
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

/** Headers as the client wrote them that the operator forwards to models (http.md §9). */
function forwardedHeaders({ rawHeaders }: IncomingMessage, pattern: RegExp | undefined): ReadonlyMap<string, string> {
  if (pattern === undefined) return NOTHING;
  const pairs: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  return forwardedParameters(pairs, pattern);
}

function withParameters(request: InferRequest, more: ReadonlyMap<string, string>): InferRequest {
  return { ...request, modelParameters: new Map([...request.modelParameters, ...more]) };
}

/** The value that keeps a client with one version, where the model's traffic is divided by a header. */
export function stickyOf(context: ServerContext, model: string, request: IncomingMessage): { sticky?: string } {
  const header = context.manager.stickyHeaderOf(model);
  const value = header === undefined ? undefined : oneHeader(request.headers[header]);
  return value === undefined ? {} : { sticky: value };
}

/** HTTP has no deadline of its own: `nereid-timeout-ms` says how long the client waits. INVALID_ARGUMENT for no such number. */
export function deadlineOf({ headers }: IncomingMessage, startNs: number): number | undefined {
  const text = oneHeader(headers["nereid-timeout-ms"]);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new NereidError(
      "INVALID_ARGUMENT",
      `header nereid-timeout-ms must be whole milliseconds, got '${text.slice(0, 40)}'`,
    );
  return startNs + Number(text) * NS_PER_MS;
}

function headerOf(request: IncomingMessage): string | undefined {
  return oneHeader(request.headers["inference-header-content-length"]);
}

function acceptEncoding(request: IncomingMessage): string | undefined {
  const value = request.headers["accept-encoding"];
  return Array.isArray(value) ? value.join(",") : value;
}
