import type { IncomingHttpHeaders } from "node:http2";
import type { ServerContext } from "../server-context.ts";

/** What an rpc may know of its call beside the message. */
export interface CallContext {
  readonly server: ServerContext;
  readonly headers: IncomingHttpHeaders;
}

/** One value of a header that should come once. */
export function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

const TRANSPORT = /^(?::|grpc-|te$|content-type$)/;

/** The metadata of a call: its headers without those of HTTP/2 and gRPC themselves. */
export function* metadataOf(headers: IncomingHttpHeaders): Generator<readonly [string, string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || TRANSPORT.test(name)) continue;
    yield [name, Array.isArray(value) ? value.join(", ") : value];
  }
}
