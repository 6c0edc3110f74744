import type { IncomingHttpHeaders } from "node:http";
import { hostname } from "node:os";
import { NereidError } from "@nereid/errors";

const OWN_NAME = hostname();

/**
 * Keeps web pages away from an unauthenticated server. A page of another site can make its visitor's browser send requests
 * to 127.0.0.1; browsers then name the page in Origin, or the page's own name in Host when the attacker's DNS points here.
 */
export function guardBrowser(headers: IncomingHttpHeaders, allowedHosts: readonly string[]): void {
  const allowed = (name: string) => isLocalName(name) || allowedHosts.includes(name);
  const host = nameOf(headers.host ?? "");
  if (host !== "" && !allowed(host)) {
    throw new NereidError(
      "FORBIDDEN",
      `this server does not answer to the host name '${host}'; start it with --allowed-host=${host} if it should`,
    );
  }
  const { origin } = headers;
  if (origin === undefined) return;
  const originHost = URL.canParse(origin) ? new URL(origin).hostname.replace(/^\[|\]$/g, "") : "";
  // Another port of this machine is another site too; only a page this server's name stands for may call it.
  if (!allowedHosts.includes(originHost)) {
    throw new NereidError(
      "FORBIDDEN",
      `requests from web pages of '${origin}' are refused; start the server with --allowed-host=${originHost || "<name>"} to allow them`,
    );
  }
}

function isLocalName(name: string): boolean {
  return name === "localhost" || name === OWN_NAME || isAddress(name);
}

/** IP literals cannot be rebound by a DNS server. */
function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.includes(":");
}

function nameOf(host: string): string {
  if (host.startsWith("[")) return host.slice(1, host.indexOf("]"));
  return host.replace(/:\d*$/, "").toLowerCase();
}
