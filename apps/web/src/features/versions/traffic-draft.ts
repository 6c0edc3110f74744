import type { ModelStatus, Traffic } from "@nereid/client";
import { compareTrafficTargets, trafficTarget } from "@nereid/client/traffic-target";

/** Where the requests that name no version go: one row for each version that is served or has a weight, newest first. */
export interface TrafficRow {
  /** A version, or `candidate/version`. */
  readonly version: string;
  /** Null where the traffic is not divided, or the version is not named. */
  readonly weight: number | null;
  /** What it gets at this moment, 0 to 1. */
  readonly share: number;
  readonly served: boolean;
}

type Facts = Pick<ModelStatus, "versions" | "traffic">;

export function trafficRows({ versions, traffic = null }: Facts): TrafficRow[] {
  const served = new Set(versions.filter(({ state }) => state === "READY").map(({ version }) => version));
  const highest = newestFirst([...served])[0];
  const weights = traffic?.weights ?? {};
  const shares = traffic?.shares ?? (highest === undefined ? {} : { [highest]: 1 });
  return newestFirst([...new Set([...served, ...Object.keys(weights), ...Object.keys(shares)])]).map((version) => ({
    version,
    weight: weights[version] ?? null,
    share: shares[version] ?? 0,
    served:
      trafficTarget(version).kind === "version" ? served.has(version) : isReached(weights[version], shares[version]),
  }));
}

/** Why the traffic of a model cannot be divided as things stand; null = it can. */
export function divideRefusal(rows: readonly TrafficRow[]): string | null {
  const served = rows.filter((row) => row.served).length;
  if (served === 0) return "No version is served.";
  return served === 1 ? "Only one version is served. Load another one first." : null;
}

/** What stands in the fields. */
export interface TrafficDraft {
  readonly weights: Readonly<Record<string, string>>;
  readonly stickyHeader: string;
}

/** The fields as the traffic is now; where it is not divided, everything goes to the newest. */
export function draftOf(rows: readonly TrafficRow[], traffic: Traffic | null): TrafficDraft {
  const weightOf = ({ weight, share }: TrafficRow) => String(traffic === null ? share * 100 : (weight ?? 0));
  return {
    weights: Object.fromEntries(rows.map((row) => [row.version, weightOf(row)])),
    stickyHeader: traffic?.stickyHeader ?? "",
  };
}

export type ReadDraft =
  | { readonly kind: "right"; readonly traffic: Traffic }
  | {
      readonly kind: "wrong";
      /** By version. */
      readonly weights: Readonly<Record<string, string>>;
      readonly stickyHeader: string | undefined;
      /** Of all of them together. */
      readonly whole: string | undefined;
    };

const LARGEST_WEIGHT = 1_000_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;

/** The fields as a division of traffic, or what is wrong with them. The server says the same, later. */
export function readDraft({ weights, stickyHeader }: TrafficDraft): ReadDraft {
  const read = Object.entries(weights).map(([version, text]) => ({ version, weight: weightIn(text) }));
  const wrong = read.flatMap(({ version, weight }) =>
    weight === null ? [[version, "A whole number from 0 to 1 000 000"] as const] : [],
  );
  const header = stickyHeader.trim();
  const headerWrong = header !== "" && !HEADER_NAME.test(header);
  const nothing = wrong.length === 0 && !read.some(({ weight }) => (weight ?? 0) > 0);
  if (wrong.length > 0 || headerWrong || nothing) {
    return {
      kind: "wrong",
      weights: Object.fromEntries(wrong),
      stickyHeader: headerWrong ? "Not the name of a request header, such as x-user" : undefined,
      whole: nothing ? "At least one version needs a weight above 0." : undefined,
    };
  }
  const given = Object.fromEntries(read.map(({ version, weight }) => [version, weight ?? 0]));
  return { kind: "right", traffic: { weights: given, ...(header === "" ? {} : { stickyHeader: header }) } };
}

function weightIn(text: string): number | null {
  const weight = Number(text);
  return /^\d{1,7}$/.test(text.trim()) && weight <= LARGEST_WEIGHT ? weight : null;
}

/** The share that each version will get, of those that are served; nothing for weights that cannot be read. */
export function sharesOf(
  { weights }: Pick<TrafficDraft, "weights">,
  rows: readonly TrafficRow[],
): Readonly<Record<string, number>> {
  const read = rows.map(({ version, served }) => ({
    version,
    weight: served ? (weightIn(weights[version] ?? "") ?? 0) : 0,
  }));
  const sum = read.reduce((total, { weight }) => total + weight, 0);
  return sum === 0 ? {} : Object.fromEntries(read.map(({ version, weight }) => [version, weight / sum]));
}

/** The server says of a candidate only what it gets: nothing in spite of its weight where it does not answer. */
function isReached(weight = 0, share = 0): boolean {
  return weight === 0 || share > 0;
}

/** Candidates stand before the versions. */
function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => compareTrafficTargets(b, a));
}
