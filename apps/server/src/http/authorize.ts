import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { NereidError } from "@nereid/errors";
import type { ServerOptions } from "../options/server-options.ts";

/** FORBIDDEN with Triton's text when the API of this category is restricted and the header is missing or wrong. */
export function checkRestricted(
  headers: IncomingHttpHeaders,
  category: string,
  restricted: ServerOptions["restrictedApis"],
): void {
  const rule = restricted.find(({ categories }) => categories.includes(category));
  if (rule === undefined) return;
  const given = headers[rule.header.toLowerCase()];
  if (typeof given !== "string" || !sameText(given, rule.value)) {
    throw new NereidError("FORBIDDEN", `This API is restricted, expecting header '${rule.header}'`);
  }
}

/** UNAUTHENTICATED unless the bearer token is the management key; without a key everything is allowed. */
export function checkManagementKey(headers: IncomingHttpHeaders, key: string | undefined): void {
  if (key === undefined) return;
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (given === undefined || !sameText(given, key)) {
    throw new NereidError(
      "UNAUTHENTICATED",
      "repository and management calls need the header 'Authorization: Bearer <management key>'",
    );
  }
}

/** Compares in constant time, whatever the lengths. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
