import { parseArgs } from "node:util";
import type { FlightCause, FlightQuery } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { type Dashboard, dashboardOf } from "../dashboard.ts";

/** What `nereid requests …` was asked to show. */
export interface RequestsCommand extends Dashboard {
  readonly query: FlightQuery;
  readonly json: boolean;
}

const CAUSES: readonly FlightCause[] = ["slow", "failed", "sampled"];
const MOST = 500;

export const REQUESTS_HELP = `nereid requests [options]

  what happened to the requests that the server remembers, newest first: some as samples, and those that were slow
  or failed; of a single one the whole story

  --id=ID          the request's own id
  --model=MODEL
  --cause=CAUSE    slow, failed or sampled
  --limit=N        at most so many, 1 to ${MOST} (default 50)
  --url=URL, --key=KEY, --json   as for 'nereid models'
`;

/** Reads the arguments after `requests`. INVALID_ARGUMENT, with the fix, for anything that cannot be meant. */
export function parseRequestsCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RequestsCommand {
  const values = parse(args);
  const { id, model, limit } = values;
  const cause = CAUSES.find((known) => known === values.cause);
  if (values.cause !== undefined && cause === undefined)
    throw usage(`'${values.cause}' is no cause: ${CAUSES.join(", ")}`);
  if (limit !== undefined && (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST))
    throw usage(`--limit must be a whole number from 1 to ${MOST}, not '${limit}'`);
  return {
    ...dashboardOf(values, env),
    json: values.json ?? false,
    query: { id, model, cause, limit: limit === undefined ? undefined : Number(limit) },
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    const options = { url: text, key: text, id: text, model: text, cause: text, limit: text } as const;
    return parseArgs({ args: [...args], options: { ...options, json: { type: "boolean" } } }).values;
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function usage(problem: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix: "see: nereid requests --help" });
}
