/** How requests that name no version are divided between the versions of a model, and of its candidates. */
export interface TrafficSplit {
  /** By version, or `candidate/version`: whole numbers, 0 or more, at least one above 0. What is not named gets nothing. */
  readonly weights: ReadonlyMap<string, number>;
  /** Requests with the same value in this header go to the same version; in lower case. */
  readonly stickyHeader?: string;
}

/** A part of the traffic that goes to a candidate; undefined for one that goes to a version of the model itself. */
export function candidateIn(key: string): { readonly candidate: string; readonly version: string } | undefined {
  const at = key.lastIndexOf("/");
  return at === -1 ? undefined : { candidate: key.slice(0, at), version: key.slice(at + 1) };
}

/** The split without these; undefined when nobody is left who would get anything. Pure. */
export function splitWithout(split: TrafficSplit, left: (candidate: string) => boolean): TrafficSplit | undefined {
  const weights = new Map(
    [...split.weights].filter(([key]) => {
      const found = candidateIn(key);
      return found === undefined || !left(found.candidate);
    }),
  );
  return [...weights.values()].some((weight) => weight > 0) ? { ...split, weights } : undefined;
}

/** What every version is owed by the requests so far; smooth weighted round robin. Begins empty. */
export type Credits = Map<string, number>;

/** The versions that may get requests now, with weights above 0. */
export function eligibleWeights(
  { weights }: TrafficSplit,
  serves: (version: string) => boolean,
): ReadonlyMap<string, number> {
  return new Map([...weights].filter(([version, weight]) => weight > 0 && serves(version)));
}

/** Whose turn it is; undefined when nobody is eligible. Changes nothing. */
export function versionInTurn(eligible: ReadonlyMap<string, number>, credits: Credits): string | undefined {
  let best: string | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const [version, weight] of eligible) {
    const credit = (credits.get(version) ?? 0) + weight;
    if (credit > most) {
      most = credit;
      best = version;
    }
  }
  return best;
}

/**
 * Counts a request that went to `version`. In every run of as many requests as the weights add up to, each version gets exactly its
 * weight, evenly spread. Who is not eligible neither saves up turns nor owes them.
 */
export function countTurn(eligible: ReadonlyMap<string, number>, credits: Credits, version: string): void {
  for (const known of credits.keys()) if (!eligible.has(known)) credits.delete(known);
  let total = 0;
  for (const [other, weight] of eligible) {
    total += weight;
    credits.set(other, (credits.get(other) ?? 0) + weight);
  }
  if (eligible.has(version)) credits.set(version, (credits.get(version) ?? 0) - total);
}

/**
 * The version of everything that has this key: weighted rendezvous. The same for the same weights in every process; when one weight
 * grows, keys move to that version only, and when a version goes, only its keys move.
 */
export function versionOfKey(eligible: ReadonlyMap<string, number>, key: string): string | undefined {
  let best: string | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const [version, weight] of eligible) {
    const score = -weight / Math.log(unitHash(`${version}\0${key}`));
    if (score > most) {
      most = score;
      best = version;
    }
  }
  return best;
}

/** The share of the requests that each version gets, adding up to 1; empty when nobody is eligible. */
export function sharesOf(eligible: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const total = [...eligible.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map([...eligible].map(([version, weight]) => [version, weight / total]));
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Between 0 and 1, both excluded, evenly spread: FNV-1a with the finish of Murmur3. */
function unitHash(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
