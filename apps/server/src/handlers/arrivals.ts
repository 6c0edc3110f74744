import { NereidError } from "@nereid/errors";
import { systemClock } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { servedVersion } from "./instances.ts";

const NS_PER_MS = 1e6;
const NS_PER_S = 1e9;
const MOST_SECONDS = 900;

/** `GET /nereid/v1/models/M/arrivals?version=&seconds=`: when the requests of the last seconds came, so that they can be sent again as they came. */
export function recentArrivals(context: ServerContext, name: string, query: URLSearchParams) {
  const seconds = secondsIn(query.get("seconds"));
  const { spec, facts } = servedVersion(context, name, query.get("version") ?? undefined);
  if (facts === undefined)
    throw new NereidError("UNSUPPORTED", `it is not remembered when requests of model '${name}' came`, {
      fix: "ask for one of the models it is composed of",
    });
  const { arrivals, isWhole } = facts.traffic.since(systemClock.nowNs() - seconds * NS_PER_S);
  const first = arrivals[0]?.atNs ?? 0;
  return {
    version: spec.version,
    isWhole,
    arrivalsMs: arrivals.map(({ atNs }) => Number(((atNs - first) / NS_PER_MS).toFixed(3))),
    batchSizes: arrivals.map(({ batchSize }) => batchSize),
  };
}

function secondsIn(text: string | null): number {
  const value = text === null ? 300 : /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= MOST_SECONDS) return value;
  throw new NereidError("INVALID_ARGUMENT", `'seconds' must be a whole number from 1 to ${MOST_SECONDS}`);
}
