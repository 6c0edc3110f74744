/**
 * Whether a request that changes something comes from our own pages. Browsers always send Origin with it; programs that
 * send none carry no cookie of a victim.
 */
export function isSameOrigin(headers: Headers, publicUrl: string | undefined): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") !== "cross-site";
  const host = headers.get("host");
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return given.host === host || (publicUrl !== undefined && given.origin === new URL(publicUrl).origin);
}
