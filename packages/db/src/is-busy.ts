/**
 * Whether a transaction failed only because another one was in its way, so that it may be tried again: SQLite's busy file,
 * PostgreSQL's deadlocks and conflicts (P2034), and a connection that was not free in time (P2028).
 */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && (error.code === "P2034" || error.code === "P2028")) return true;
  return /SQLITE_BUSY|database is locked|SocketTimeout|Operation has timed out/i.test(textOf(error));
}

function textOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message} ${textOf(error.cause)}` : error.message;
}
