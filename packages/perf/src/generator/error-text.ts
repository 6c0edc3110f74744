/** What an error says. One of several addresses that were all tried says nothing itself, but each of its own does. Pure. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorText).join("; ");
  return error instanceof Error ? error.message : String(error);
}
