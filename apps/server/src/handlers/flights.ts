import { NereidError } from "@nereid/errors";
import type { FlightCause, FlightRecord } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";

const CAUSES: readonly FlightCause[] = ["sampled", "slow", "failed"];
const MOST = 500;
const DEFAULT_LIMIT = 50;

/**
 * `GET /nereid/v1/requests?id=&model=&cause=&limit=`: what happened to requests that are remembered, newest first. INVALID_ARGUMENT
 * for a query that makes no sense.
 */
export function findFlights({ flights }: ServerContext, query: URLSearchParams): { records: readonly FlightRecord[] } {
  const id = query.get("id") ?? undefined;
  const model = query.get("model") ?? undefined;
  const cause = CAUSES.find((known) => known === query.get("cause"));
  if (query.get("cause") !== null && cause === undefined)
    throw new NereidError("INVALID_ARGUMENT", `'cause' must be ${CAUSES.join(", ")}, got '${query.get("cause")}'`);
  const limit = query.get("limit") ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST)
    throw new NereidError("INVALID_ARGUMENT", `'limit' must be a whole number from 1 to ${MOST}, got '${limit}'`);
  return {
    records: flights.find({
      limit: Number(limit),
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(cause !== undefined && { cause }),
    }),
  };
}
