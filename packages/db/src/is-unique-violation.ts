/** Whether a write lost a race for a unique key, on either dialect. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
