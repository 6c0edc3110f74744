import type { IncomingHttpHeaders } from "node:http2";
import { NereidError } from "@nereid/errors";
import { checkManagementKey, sameText } from "../http/authorize.ts";
import { guardBrowser } from "../http/browser-guard.ts";
import type { ServerOptions } from "../options/server-options.ts";
import type { RestrictedProtocol } from "./rpc.ts";

export interface RpcAccess {
  /** undefined = never restricted. */
  readonly category: RestrictedProtocol | undefined;
  /** Needs the management key, as the same call does over HTTP. */
  readonly managed: boolean;
}

/**
 * Whether a call may be made: no web page's, the header of its restricted protocol (UNAVAILABLE by Triton's text, grpc.md §3), and the
 * management key where one is needed (UNAUTHENTICATED).
 */
export function authorizeCall(headers: IncomingHttpHeaders, access: RpcAccess, options: ServerOptions): void {
  const { origin } = headers;
  if (options.managementKey === undefined && origin !== undefined) guardBrowser({ origin }, options.allowedHosts);
  checkRestricted(headers, access.category, options.grpc.restrictedProtocols);
  if (access.managed) checkManagementKey(headers, options.managementKey);
}

function checkRestricted(
  headers: IncomingHttpHeaders,
  category: string | undefined,
  restricted: ServerOptions["grpc"]["restrictedProtocols"],
): void {
  if (category === undefined || restricted.length === 0) return;
  const rule = restricted.find(({ categories }) => categories.includes(category));
  if (rule === undefined) return;
  const name = `triton-grpc-protocol-${rule.header}`;
  const given = headers[name.toLowerCase()];
  if (typeof given !== "string" || !sameText(given, rule.value))
    throw new NereidError("UNAVAILABLE", `This protocol is restricted, expecting header '${name}'`);
}
