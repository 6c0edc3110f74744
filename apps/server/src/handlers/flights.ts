import { NereidError } from "@nereid/errors";
import type { FlightCause, FlightRecord } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";

const CAUSES: readonly FlightCause[] = ["sampled", "slow", "failed"];
const MOST = 500;
const DEFAULT_LIMIT = 50;

/**
 * `GET /nereid/v1/requests?id=&model=&version=&cause=&from=&to=&slowerMs=&fasterMs=&order=&limit=`: what happened to requests that are
 * remembered, newest first or slowest first. INVALID_ARGUMENT for a query that makes no sense.
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
  const version = query.get("version") ?? undefined;
  const order = query.get("order") ?? "newest";
  if (order !== "newest" && order !== "slowest")
    throw new NereidError("INVALID_ARGUMENT", `'order' must be newest or slowest, got '${order}'`);
  const fromMs = numberIn(query, "from", 1e3);
  const toMs = numberIn(query, "to", 1e3);
  const leastNs = numberIn(query, "slowerMs", 1e6);
  const belowNs = numberIn(query, "fasterMs", 1e6);
  return {
    records: flights.find({
      limit: Number(limit),
      order,
      ...(version !== undefined && { version }),
      ...(fromMs !== undefined && { fromMs }),
      ...(toMs !== undefined && { toMs }),
      ...(leastNs !== undefined && { leastNs }),
      ...(belowNs !== undefined && { belowNs }),
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(cause !== undefined && { cause }),
    }),
  };
}

/** A number from 0 on of the query, times what makes the recorder's unit of it. */
function numberIn(query: URLSearchParams, name: string, factor: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}(\.\d{1,12})?$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", `'${name}' must be a number from 0 on, got '${text}'`);
  return Number(text) * factor;
}
