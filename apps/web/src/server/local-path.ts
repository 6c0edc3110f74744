/** A path of this site to go on to after signing in; anything that could lead elsewhere becomes the start page. */
export function localPath(value: unknown): string {
  if (typeof value !== "string" || !value.startsWith("/")) return "/";
  const base = "http://nereid.invalid";
  const url = URL.canParse(value, base) ? new URL(value, base) : undefined;
  return url?.origin === base ? `${url.pathname}${url.search}` : "/";
}
