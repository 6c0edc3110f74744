import type { Exchange } from "../handlers/exchange.ts";
import { deadlineOf } from "../handlers/infer.ts";
import { oneHeader } from "../http/one-header.ts";
import { toldBy } from "../inference/asked-name.ts";
import { type InferenceTicket, startInference } from "../inference/start-inference.ts";
import type { ServerContext } from "../server-context.ts";
import type { FoundModel } from "./find-model.ts";
import type { Controls } from "./read-controls.ts";
import { toInferRequest } from "./to-infer-request.ts";

export interface Submission {
  readonly found: FoundModel;
  readonly id: string;
  readonly text: Parameters<typeof toInferRequest>[0]["text"];
  readonly controls: Controls;
  readonly outputs: readonly string[];
  readonly startNs: number;
}

/** Gives the request to the model like every other front end; it is cancelled when the client has gone. */
export function submit(
  context: ServerContext,
  exchange: Exchange,
  what: Submission,
): { ticket: InferenceTicket; over: () => void } {
  const { request, response, watch } = exchange;
  const { found, id, text, controls, outputs, startNs } = what;
  const ticket = startInference(context, {
    model: found.name,
    version: undefined,
    request: toInferRequest({ spec: found.spec, id, text, controls, outputs }),
    sticky: found.sticky.sticky,
    told: toldBy(found.spec, found.name),
    deadlineNs: deadlineOf(request, startNs),
    traceparent: oneHeader(request.headers["traceparent"]),
    received: [
      ["HTTP_RECV_START", startNs],
      ["HTTP_RECV_END", context.clock.nowNs()],
    ],
  });
  watch.inference(ticket.modelVersion, id);
  const gone = () => ticket.cancel();
  response.once("close", gone);
  if (response.destroyed) gone();
  const over = () => {
    response.off("close", gone);
    ticket.trace?.stamp("HTTP_SEND_END", context.clock.nowNs());
    ticket.trace?.end();
  };
  return { ticket, over };
}
