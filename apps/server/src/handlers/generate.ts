import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError, toHttpStatus } from "@nereid/errors";
import { answersOf, type InferAnswer } from "@nereid/inference-worker";
import { errorBody } from "@nereid/protocol";
import { EventStream } from "../http/event-stream.ts";
import { endpointLoadMetrics } from "../http/load-metrics.ts";
import { oneHeader } from "../http/one-header.ts";
import { readBody } from "../http/read-body.ts";
import { dropWhenStalled } from "../http/send-infer.ts";
import { asAsked, toldBy } from "../inference/asked-name.ts";
import { holdModel } from "../inference/hold-model.ts";
import { type InferenceTicket, startInference } from "../inference/start-inference.ts";
import type { ServerContext } from "../server-context.ts";
import type { Exchange } from "./exchange.ts";
import { decodeGenerate, encodeGenerate } from "./generate-codec.ts";
import { deadlineOf, type InferTarget, stickyOf } from "./infer.ts";

const NOT_ONE =
  "generate expects model to produce exactly 1 response, use generate stream for model that generates various number of responses";

/** `POST …/generate` and `…/generate_stream` (http.md §14). What fails before the inference is thrown; the caller answers it. */
export async function handleGenerate(
  context: ServerContext,
  target: InferTarget & { readonly stream: boolean },
  exchange: Exchange,
): Promise<void> {
  const { request, response } = exchange;
  const startNs = context.clock.nowNs();
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "" && encoding !== "identity")
    throw new NereidError("INVALID_ARGUMENT", "Unsupported content-encoding, only 'identity' is supported.");
  const body = await readBody(request, { share: exchange.share });
  const receivedNs = context.clock.nowNs();
  const hold = await holdModel(context, target.model, response);
  try {
    await answerGenerate(context, target, { ...exchange, body, startNs, receivedNs });
  } finally {
    hold?.release();
  }
}

async function answerGenerate(
  context: ServerContext,
  target: InferTarget & { readonly stream: boolean },
  exchange: Exchange & { readonly body: Buffer; readonly startNs: number; readonly receivedNs: number },
): Promise<void> {
  const { request, response, body, startNs, receivedNs } = exchange;
  const { sticky } = stickyOf(context, target.model, request);
  const { spec } = context.manager.resolve(target.model, target.version, { traffic: "peek", sticky });
  const decoded = await decodeGenerate(body, asAsked(spec, target.model), context.options.httpMaxInputSize);
  if (response.destroyed) return;
  const ticket = startInference(context, {
    model: target.model,
    version: target.version,
    request: decoded,
    sticky,
    told: toldBy(spec, target.model),
    deadlineNs: deadlineOf(request, startNs),
    traceparent: oneHeader(request.headers["traceparent"]),
    received: [
      ["HTTP_RECV_START", startNs],
      ["HTTP_RECV_END", receivedNs],
    ],
  });
  exchange.watch.inference(ticket.modelVersion, decoded.id);
  const gone = () => ticket.cancel();
  response.once("close", gone);
  try {
    await (target.stream ? sendStream : sendOne)(ticket, response, {
      headers: loadHeaders(request),
      answered: (answer) => {
        exchange.watch.answered(answer);
        ticket.trace?.stamp("HTTP_SEND_START", context.clock.nowNs());
      },
    });
  } finally {
    response.off("close", gone);
    ticket.trace?.stamp("HTTP_SEND_END", context.clock.nowNs());
    ticket.trace?.end();
  }
}

type Headers = Readonly<Record<string, string>>;

interface Sending {
  readonly headers: Headers;
  /** Told of every answer before it is written. */
  readonly answered: (answer: InferAnswer) => void;
}

/** One event for every answer. The status is the first one's; what fails later is an event, too. */
async function sendStream(ticket: InferenceTicket, response: ServerResponse, how: Sending): Promise<void> {
  const stream = new EventStream(response, how.headers);
  try {
    for await (const answer of answersOf(ticket)) {
      how.answered(answer);
      // The mark of a decoupled model's end has no content.
      if (isEmpty(answer, ticket)) answer.release();
      else await stream.send(await encoded(answer));
    }
  } catch (thrown) {
    const error = NereidError.from(thrown);
    if (response.destroyed) return;
    await stream.send(Buffer.from(errorBody(error.message)), toHttpStatus(error.code));
  }
  stream.end();
}

/** Waits for the last answer: there must have been one. The status is the first one's, even so. */
async function sendOne(ticket: InferenceTicket, response: ServerResponse, how: Sending): Promise<void> {
  let body: Buffer | undefined;
  let count = 0;
  for await (const answer of answersOf(ticket)) {
    how.answered(answer);
    if (isEmpty(answer, ticket)) {
      answer.release();
      continue;
    }
    count += 1;
    if (count === 1) body = await encoded(answer);
    else answer.release();
  }
  if (body === undefined) throw new NereidError("INTERNAL", NOT_ONE);
  if (response.destroyed) return;
  response.writeHead(200, { "Content-Type": "application/json", ...how.headers });
  dropWhenStalled(response);
  response.write(count === 1 ? body : errorBody(NOT_ONE));
  response.end();
}

function isEmpty({ empty, response }: InferAnswer, { decoupled }: InferenceTicket): boolean {
  return empty === true || (decoupled && response.outputs.length === 0);
}

async function encoded(answer: InferAnswer): Promise<Buffer> {
  try {
    return await encodeGenerate(answer.response);
  } finally {
    answer.release();
  }
}

function loadHeaders(request: IncomingMessage): Headers {
  // No backend here publishes the family that these come from.
  const value = endpointLoadMetrics(oneHeader(request.headers["endpoint-load-metrics-format"]), () => undefined);
  return value === undefined ? {} : { "endpoint-load-metrics": value };
}
