import { setImmediate as turn } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import {
  type GrpcInferRequest,
  hasLargeContents,
  type InferMessage,
  parseModelVersion,
  toInferRequest,
  toInferRequestInSlices,
} from "@nereid/grpc";
import type { Hold } from "@nereid/inference-worker";
import type { InferRequest } from "@nereid/protocol";
import { oneHeader } from "../http/one-header.ts";
import { toldBy } from "../inference/asked-name.ts";
import { forwardedParameters } from "../inference/forward-headers.ts";
import { holdModel } from "../inference/hold-model.ts";
import { type InferenceTicket, startInference } from "../inference/start-inference.ts";
import type { ServerContext } from "../server-context.ts";
import { metadataOf } from "./call-context.ts";
import type { GrpcCall } from "./grpc-call.ts";

export interface InferStart {
  readonly message: InferMessage;
  /** When the server began to wait for the message, and when it was there. */
  readonly waitStartNs: number;
  readonly waitEndNs: number;
  /** As InferenceCall's. */
  readonly singleAnswer?: string;
}

export interface StartedInference extends GrpcInferRequest {
  readonly ticket: InferenceTicket;
  /** Keeps the model loaded; to be released when the request is over. */
  readonly hold: Hold | undefined;
}

const pause = () => turn();

/**
 * From a request as it was on the wire to a place in the queue, in Triton's order: the version, the model, then the request's own
 * rules, then the checks of the core. A promise only for large typed contents, and while the model is loaded. Throws (or rejects with)
 * Triton's errors.
 */
export function startGrpcInference(
  context: ServerContext,
  call: GrpcCall,
  start: InferStart,
): StartedInference | Promise<StartedInference> {
  const version = parseModelVersion(start.message.modelVersion);
  const begin = (hold: Hold | undefined) => {
    try {
      const started = startHeld(context, call, { ...start, version, hold });
      if (!(started instanceof Promise)) return started;
      return started.catch((error) => {
        hold?.release();
        throw error;
      });
    } catch (error) {
      hold?.release();
      throw error;
    }
  };
  const hold = holdModel(context, start.message.modelName, call.stream);
  return hold instanceof Promise ? hold.then(begin) : begin(hold);
}

function startHeld(
  context: ServerContext,
  call: GrpcCall,
  start: InferStart & { readonly version: string | undefined; readonly hold: Hold | undefined },
): StartedInference | Promise<StartedInference> {
  const { message, singleAnswer, version, hold } = start;
  const sticky = stickyOf(context, message.modelName, call);
  const { spec } = context.manager.resolve(message.modelName, version, { traffic: "peek", sticky });
  if (spec.decoupled && singleAnswer !== undefined) throw new NereidError("UNSUPPORTED", singleAnswer);
  const submit = ({ request, emptyFinalResponse }: GrpcInferRequest): StartedInference => {
    // While large contents were converted the client may have gone.
    if (!call.open) throw new NereidError("CANCELLED", "");
    const forwarded = withForwarded(context, call, request);
    const ticket = startInference(context, {
      model: message.modelName,
      version,
      request: forwarded,
      ...(singleAnswer !== undefined && { singleAnswer }),
      deadlineNs: call.deadlineNs,
      sticky,
      told: toldBy(spec, message.modelName),
      traceparent: oneHeader(call.headers["traceparent"]),
      received: [
        ["GRPC_WAITREAD_START", start.waitStartNs],
        ["GRPC_WAITREAD_END", start.waitEndNs],
      ],
    });
    return { request: forwarded, emptyFinalResponse, ticket, hold };
  };
  return hasLargeContents(message)
    ? toInferRequestInSlices(message, pause).then(submit)
    : submit(toInferRequest(message));
}

function stickyOf({ manager }: ServerContext, model: string, { headers }: GrpcCall): string | undefined {
  const header = manager.stickyHeaderOf(model);
  return header === undefined ? undefined : oneHeader(headers[header]);
}

/** Metadata that `--grpc-header-forward-pattern` finds becomes parameters, for the backend. */
function withForwarded({ options }: ServerContext, { headers }: GrpcCall, request: InferRequest): InferRequest {
  const { forwardPattern } = options.grpc;
  if (forwardPattern === undefined) return request;
  const forwarded = forwardedParameters(metadataOf(headers), forwardPattern);
  return forwarded.size === 0
    ? request
    : { ...request, modelParameters: new Map([...request.modelParameters, ...forwarded]) };
}
