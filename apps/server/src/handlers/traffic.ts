import { NereidError } from "@nereid/errors";
import type { PlanWarning } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { type DesiredTraffic, splitOf } from "../state/desired-state.ts";
import { versionsOnDisk } from "./pins.ts";
import { unremembered } from "./repository.ts";

/** How a model's traffic is divided, and what comes of it now. */
export interface TrafficStatus extends DesiredTraffic {
  /** Share of the requests without a version that each version gets at this moment; adds up to 1. */
  readonly shares: Readonly<Record<string, number>>;
}

const MOST_VERSIONS = 100;
const LARGEST_WEIGHT = 1_000_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;

/** Null where requests without a version go to the highest READY one. */
export function trafficStatus({ manager }: ServerContext, name: string): TrafficStatus | null {
  const split = manager.trafficOf(name);
  if (split === undefined) return null;
  return {
    weights: Object.fromEntries(split.weights),
    ...(split.stickyHeader !== undefined && { stickyHeader: split.stickyHeader }),
    shares: Object.fromEntries(manager.sharesOf(name) ?? []),
  };
}

/**
 * Divides the requests that name no version from now on, also after a restart; null = the highest READY version again. NOT_FOUND for
 * a model or version that is not there. Versions that are not served give a warning: until they are, the others have their share.
 */
export async function divideTraffic(
  context: ServerContext,
  name: string,
  traffic: DesiredTraffic | null,
): Promise<{ readonly traffic: TrafficStatus | null; readonly warnings: readonly PlanWarning[] }> {
  const { manager, desired } = context;
  const entry = manager.entry(name);
  const onDisk = await versionsOnDisk(context, name);
  if (onDisk === undefined && entry === undefined)
    throw new NereidError("NOT_FOUND", `there is no model '${name}' in the repository`);
  if (traffic === null) {
    manager.setTraffic(name, undefined);
    return { traffic: null, warnings: unremembered(await desired.divided(name, null)) };
  }
  const known = new Set([...(onDisk ?? []), ...(entry?.versions.keys() ?? [])]);
  const missing = Object.keys(traffic.weights).filter((version) => !known.has(version));
  if (missing.length > 0) {
    throw new NereidError("NOT_FOUND", `model '${name}' has no version ${missing.join(", ")}`, {
      fix: `versions it has: ${[...known].sort((a, b) => Number(BigInt(a) - BigInt(b))).join(", ") || "none"}`,
    });
  }
  manager.setTraffic(name, splitOf(traffic));
  const idle = Object.entries(traffic.weights).flatMap(([version, weight]) =>
    weight > 0 && entry?.versions.get(version)?.state !== "READY" ? [version] : [],
  );
  const warnings = idle.map((version) => ({
    code: "version-not-ready",
    message: `version ${version} of model '${name}' is not served: its share goes to the others until it is`,
    path: `weights.${version}`,
  }));
  return {
    traffic: trafficStatus(context, name),
    warnings: [...warnings, ...unremembered(await desired.divided(name, traffic))],
  };
}

/** `{weights, stickyHeader?}`, or `{weights: null}`. INVALID_ARGUMENT for anything else. */
export function parseTraffic({ weights, stickyHeader }: Readonly<Record<string, unknown>>): DesiredTraffic | null {
  if (weights === null) return null;
  if (weights === undefined || typeof weights !== "object" || Array.isArray(weights)) {
    throw invalid('\'weights\' must be an object of versions and whole numbers, such as {"1": 90, "2": 10}, or null');
  }
  const entries = Object.entries(weights);
  if (entries.length > MOST_VERSIONS) throw invalid(`at most ${MOST_VERSIONS} versions can have a weight`);
  const parsed: Record<string, number> = {};
  for (const [version, weight] of entries) {
    if (!/^\d{1,18}$/.test(version)) throw invalid(`'${version.slice(0, 50)}' is not a version`);
    if (!Number.isInteger(weight) || weight < 0 || weight > LARGEST_WEIGHT)
      throw invalid(`the weight of version ${version} must be a whole number from 0 to ${LARGEST_WEIGHT}`);
    parsed[String(BigInt(version))] = weight;
  }
  if (!Object.values(parsed).some((weight) => weight > 0)) throw invalid("at least one weight must be above 0");
  if (stickyHeader === undefined || stickyHeader === null) return { weights: parsed };
  if (typeof stickyHeader !== "string" || !HEADER_NAME.test(stickyHeader))
    throw invalid("'stickyHeader' must be the name of a request header, such as x-user");
  return { weights: parsed, stickyHeader: stickyHeader.toLowerCase() };
}

function invalid(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
