import { parseGrpcTimeout } from "@nereid/grpc";
import { oneHeader } from "../http/one-header.ts";
import type { ServerContext } from "../server-context.ts";
import { authorizeCall } from "./authorize-call.ts";
import type { GrpcCall } from "./grpc-call.ts";
import { statusOf } from "./grpc-status.ts";
import type { Rpc } from "./rpc.ts";
import { serveUnary } from "./serve-unary.ts";

const GRPC_CONTENT = /^application\/grpc(?:\+proto)?(?:;|$)/i;

/** One call, from its headers to its status. Never throws. */
export function handleCall(context: ServerContext, call: GrpcCall, rpcs: ReadonlyMap<string, Rpc>): void {
  const { headers } = call;
  const path = headers[":path"] ?? "";
  const rpc = rpcs.get(path);
  if (headers[":method"] !== "POST") call.refuse(405, "gRPC calls are POST requests\n");
  else if (!GRPC_CONTENT.test(headers["content-type"] ?? ""))
    call.refuse(415, "this port serves gRPC: the content type must be application/grpc\n");
  else if (rpc === undefined) call.finish({ code: "UNIMPLEMENTED", message: `there is no rpc ${path.slice(0, 200)}` });
  else serve(context, call, rpc);
}

function serve(context: ServerContext, call: GrpcCall, rpc: Rpc): void {
  const { headers } = call;
  call.rpc = rpc.name;
  try {
    authorizeCall(headers, rpc, context.options);
    const timeoutMs = parseGrpcTimeout(oneHeader(headers["grpc-timeout"]));
    if (timeoutMs !== undefined) call.limit(timeoutMs);
    if (rpc.kind === "unary") serveUnary(context, call, rpc);
    else rpc.serve(context, call);
  } catch (error) {
    call.finish(statusOf(error));
  }
}
