import type { IncomingHttpHeaders } from "node:http2";
import type { ServerContext } from "../server-context.ts";

/** What an rpc may know of its call beside the message. */
export interface CallContext {
  readonly server: ServerContext;
  readonly headers: IncomingHttpHeaders;
}

const TRANSPORT = /^(?::|grpc-|te$|content-type$)/;

/** The metadata of a call: its headers without those of HTTP/2 and gRPC themselves. */
export function* metadataOf(headers: IncomingHttpHeaders): Generator<readonly [string, string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || TRANSPORT.test(name)) continue;
    yield [name, Array.isArray(value) ? value.join(", ") : value];
  }
}
