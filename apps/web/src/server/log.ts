/** One line of JSON on stderr about something that went wrong, with the whole chain of causes. */
export function logError(what: string, error: unknown, fields: Readonly<Record<string, string>> = {}): void {
  const line = { time: new Date().toISOString(), level: "error", what, ...fields, error: describe(error) };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** One line of JSON on stdout. */
export function logInfo(what: string, fields: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level: "info", what, ...fields })}\n`);
}

/** One line of JSON on stderr about something that should be seen to. */
export function logWarning(what: string): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: "warn", what })}\n`);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` <- ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
