import { encodeFrame } from "@nereid/grpc";
import { oneHeader } from "../http/one-header.ts";
import type { ServerContext } from "../server-context.ts";
import { requestEncoding } from "./compression.ts";
import type { GrpcCall } from "./grpc-call.ts";
import { statusOf } from "./grpc-status.ts";
import { MessageReader, type ReceivedMessage } from "./read-messages.ts";
import type { UnaryRpc } from "./rpc.ts";

const NO_MESSAGE = { code: "INVALID_ARGUMENT", message: "the call ended without a request message" } as const;

/** Reads the one message of a call, serves it and answers. */
export function serveUnary(context: ServerContext, call: GrpcCall, rpc: UnaryRpc): void {
  let taken = false;
  call.receiving = () => !taken;
  new MessageReader(call, {
    bodies: context.bodies,
    maxMessageBytes: Math.min(rpc.maxRequestBytes, context.options.grpc.maxMessageBytes),
    encoding: requestEncoding(oneHeader(call.headers["grpc-encoding"])),
    onMessage: (received) => {
      if (taken) received.release();
      else void answer(context, call, { rpc, received });
      taken = true;
      return undefined;
    },
    onEnd: () => {
      if (!taken) call.finish(NO_MESSAGE);
    },
    onError: (error) => call.finish(statusOf(error)),
  });
}

async function answer(
  context: ServerContext,
  call: GrpcCall,
  { rpc, received }: { readonly rpc: UnaryRpc; readonly received: ReceivedMessage },
): Promise<void> {
  try {
    const message = await rpc.serve({ server: context, headers: call.headers }, received.bytes);
    call.answer(encodeFrame(message), () => undefined);
  } catch (error) {
    call.finish(statusOf(error));
  } finally {
    received.release();
  }
}
