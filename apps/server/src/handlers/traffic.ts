import { NereidError } from "@nereid/errors";
import { candidateIn, type PlanWarning, splitWithout } from "@nereid/inference-worker";
import { plainVersion } from "@nereid/model-config";
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
const LONGEST_SHOWN = 50;
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
  const missing = Object.keys(traffic.weights).filter((key) => candidateIn(key) === undefined && !known.has(key));
  checkCandidates(context, name, Object.keys(traffic.weights));
  if (missing.length > 0) {
    throw new NereidError("NOT_FOUND", `model '${name}' has no version ${missing.join(", ")}`, {
      fix: `versions it has: ${[...known].sort((a, b) => Number(BigInt(a) - BigInt(b))).join(", ") || "none"}`,
    });
  }
  manager.setTraffic(name, splitOf(traffic));
  const idle = Object.entries(traffic.weights).flatMap(([version, weight]) =>
    weight > 0 && candidateIn(version) === undefined && entry?.versions.get(version)?.state !== "READY"
      ? [version]
      : [],
  );
  const warnings = idle.map((version) => ({
    code: "version-not-ready",
    message: `version ${version} of model '${name}' is not served: its share goes to the others until it is`,
    path: `weights.${version}`,
  }));
  return {
    traffic: trafficStatus(context, name),
    warnings: [...warnings, ...unremembered(await desired.divided(name, remembered(traffic)))],
  };
}

/** NOT_FOUND for a part that would go to what is no candidate of this model, or to a version that the candidate does not serve. */
function checkCandidates({ candidates }: ServerContext, model: string, keys: readonly string[]): void {
  const known = candidates.list().filter(({ of }) => of === model);
  for (const key of keys) {
    const part = candidateIn(key);
    if (part === undefined) continue;
    const found = known.find(({ name }) => name === part.candidate);
    if (found?.versions.includes(part.version) === true) continue;
    const all = known.flatMap(({ name, versions }) => versions.map((version) => `${name}/${version}`));
    throw new NereidError("NOT_FOUND", `model '${model}' has no candidate '${key.slice(0, LONGEST_SHOWN)}'`, {
      fix: `candidates it has: ${all.join(", ") || `none; POST /nereid/v1/models/${model}/candidates makes one`}`,
    });
  }
}

/** Candidates are gone after a restart: what they got goes to the others then. */
function remembered(traffic: DesiredTraffic): DesiredTraffic | null {
  const kept = splitWithout(splitOf(traffic), () => true);
  return kept === undefined ? null : { ...traffic, weights: Object.fromEntries(kept.weights) };
}

/** `{weights, stickyHeader?}`, or `{weights: null}`. INVALID_ARGUMENT for anything else. */
export function parseTraffic({ weights, stickyHeader }: Readonly<Record<string, unknown>>): DesiredTraffic | null {
  if (weights === null) return null;
  if (weights === undefined || typeof weights !== "object" || Array.isArray(weights)) {
    throw invalid(
      '\'weights\' must be an object of versions (or candidate/version) and whole numbers, such as {"1": 90, "2": 10}, or null',
    );
  }
  const entries = Object.entries(weights);
  if (entries.length > MOST_VERSIONS) throw invalid(`at most ${MOST_VERSIONS} versions can have a weight`);
  const parsed: Record<string, number> = {};
  for (const [version, weight] of entries) {
    const part = candidateIn(version) ?? { candidate: undefined, version };
    const number = plainVersion(part.version);
    if (number === undefined || part.candidate === "") {
      throw invalid(`'${version.slice(0, LONGEST_SHOWN)}' is not a version`);
    }
    if (!Number.isInteger(weight) || weight < 0 || weight > LARGEST_WEIGHT)
      throw invalid(`the weight of version ${version} must be a whole number from 0 to ${LARGEST_WEIGHT}`);
    parsed[part.candidate === undefined ? number : `${part.candidate}/${number}`] = weight;
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
