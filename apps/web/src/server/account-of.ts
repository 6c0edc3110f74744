/** The account a sign-in is for, in one spelling and of bounded length; empty when the body names none. */
export function accountOf(body: unknown): string {
  const email = typeof body === "object" && body !== null && "email" in body ? body.email : "";
  if (typeof email !== "string") return "";
  // PostgreSQL takes no NUL, and a log has no use for the rest.
  return email
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .toLowerCase()
    .slice(0, 254);
}
