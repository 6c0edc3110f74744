import { NereidError } from "@nereid/errors";
import { decodeInferMessage, type EncodedFrame, encodeInferResponse, PREFIX_BYTES } from "@nereid/grpc";
import { oneHeader } from "../http/one-header.ts";
import type { ServerContext } from "../server-context.ts";
import { compressFrame, requestEncoding, responseCompression } from "./compression.ts";
import type { GrpcCall } from "./grpc-call.ts";
import { SHUTTING_DOWN, statusOf } from "./grpc-status.ts";
import { startGrpcInference } from "./infer-start.ts";
import { placeForMessage } from "./message-place.ts";
import { MessageReader, type ReceivedMessage } from "./read-messages.ts";

const NO_MESSAGE = { code: "INVALID_ARGUMENT", message: "the call ended without a request message" } as const;

/** ModelInfer (grpc.md §4): one request, one answer. */
export function serveModelInfer(context: ServerContext, call: GrpcCall): void {
  const { maxMessageBytes } = context.options.grpc;
  const waitStartNs = context.clock.nowNs();
  let taken = false;
  announceCompression(context, call);
  call.receiving = () => !taken;
  new MessageReader(call, {
    bodies: context.bodies,
    maxMessageBytes,
    encoding: requestEncoding(oneHeader(call.headers["grpc-encoding"])),
    place: (length, head) => placeForMessage(context, length, head),
    onMessage: (received) => {
      // A unary call has one message; what follows it is nobody's.
      if (taken) received.release();
      else void answerInfer(context, call, { received, waitStartNs });
      taken = true;
      return undefined;
    },
    onEnd: () => {
      if (!taken) call.finish(NO_MESSAGE);
    },
    onError: (error) => call.finish(statusOf(error)),
  });
}

async function answerInfer(
  context: ServerContext,
  call: GrpcCall,
  { received, waitStartNs }: { readonly received: ReceivedMessage; readonly waitStartNs: number },
): Promise<void> {
  try {
    const waitEndNs = context.clock.nowNs();
    const message = decodeInferMessage(received.bytes);
    call.subject = { model: message.modelName, version: message.modelVersion, requestId: message.id };
    if (context.phase === "exiting") return call.finish(SHUTTING_DOWN);
    const started = startGrpcInference(context, call, {
      message,
      waitStartNs,
      waitEndNs,
      singleAnswer: "ModelInfer RPC doesn't support models with decoupled transaction policy",
    });
    const { ticket, hold } = started instanceof Promise ? await started : started;
    const { trace } = ticket;
    call.onGone = () => ticket.cancel();
    try {
      const answer = await ticket.answer;
      call.onGone = undefined;
      let frame: EncodedFrame;
      try {
        frame = await encodeWithin(context, call, encodeInferResponse(answer.response));
      } catch (error) {
        answer.release();
        throw error;
      }
      trace?.stamp("GRPC_SEND_START", context.clock.nowNs());
      call.answer(frame, answer.release);
      // What was compressed is a copy: the tensors are no longer needed.
      if (frame.copied) answer.release();
      const sentNs = context.clock.nowNs();
      trace?.stamp("GRPC_SEND_END", sentNs);
      if (answer.flight !== undefined) {
        answer.flight.receiveNs = waitEndNs - waitStartNs;
        answer.flight.writeNs = sentNs - answer.moments.endNs;
      }
    } finally {
      trace?.end();
      hold?.release();
    }
  } catch (error) {
    call.finish(statusOf(error));
  } finally {
    received.release();
  }
}

/** The frame as it may be sent: below the limit, compressed where that is wanted. INVALID_ARGUMENT by Triton's text beyond the limit. */
export function encodeWithin(
  { options }: ServerContext,
  call: GrpcCall,
  frame: EncodedFrame,
): EncodedFrame | Promise<EncodedFrame> {
  const { maxMessageBytes, responseCompressionLevel } = options.grpc;
  const size = frame.byteLength - PREFIX_BYTES;
  if (size > maxMessageBytes) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `Response has byte size ${size} which exceeds gRPC's byte size limit ${maxMessageBytes}.`,
    );
  }
  const how = responseCompression(responseCompressionLevel, oneHeader(call.headers["grpc-accept-encoding"]));
  return how === undefined ? frame : compressFrame(frame, how);
}

/** Says in the headers how answers of this call may be compressed; the first message, an error say, need not be. */
export function announceCompression({ options }: ServerContext, call: GrpcCall): void {
  const { responseCompressionLevel } = options.grpc;
  const how = responseCompression(responseCompressionLevel, oneHeader(call.headers["grpc-accept-encoding"]));
  if (how !== undefined) call.useEncoding(how.encoding);
}
