import { NereidError } from "@nereid/errors";
import { type ModelEntry, sortedVersions, type VersionEntry } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";

/** What of a request decides its version beside the one it names. */
export interface RequestChoice {
  /** A sequence under way stays with the version that began it. */
  readonly sequence?: { readonly id: bigint | string; readonly start: boolean };
  /**
   * Where traffic is divided: `take` counts the request, `peek` only tells where it would go now. Without it the choice is the highest
   * READY version.
   */
  readonly traffic?: "peek" | "take";
  /** Requests with the same value go to the same version while traffic is divided. */
  readonly sticky?: string | undefined;
  /** What a peek told, a version or `candidate/version`: kept when it still serves, so that a request is read and executed by the same version. */
  readonly told?: string | undefined;
}

/** A version that is being unloaded, or was, or one of a candidate, that holds this sequence; undefined for others. */
export function versionOfSequence(
  entry: ModelEntry | undefined,
  version: string | undefined,
  { sequence, candidates = [] }: RequestChoice & { readonly candidates?: readonly ModelEntry[] },
): ServedVersion | undefined {
  if (sequence === undefined || entry === undefined) return undefined;
  if (sequence.start) {
    // It begins anew with the version that serves now; what comes next must not go to the one before.
    for (const served of entry.leaving) served.releaseSequence(sequence.id);
    return undefined;
  }
  const holds = (served: ServedVersion) =>
    served.holdsSequence(sequence.id) && (version === undefined || served.spec.version === version);
  const living = sortedVersions(entry).flatMap(({ served }) => served ?? []);
  // Two versions may know the id: the one that is staying is asked first.
  const held = living.find(holds) ?? entry.leaving.find(holds);
  if (held !== undefined || version !== undefined) return held;
  return candidates.flatMap(versionsOf).find(holds);
}

/** A sequence of this id began anew with `chosen`: what was left of it elsewhere no longer gets its requests. */
export function leaveSequence(entries: readonly ModelEntry[], chosen: ServedVersion, id: bigint | string): void {
  for (const served of entries.flatMap(versionsOf)) if (served !== chosen) served.releaseSequence(id);
}

/** Those that serve, the lowest first, and those that are ending. */
function versionsOf(entry: ModelEntry): readonly ServedVersion[] {
  return [...sortedVersions(entry).flatMap(({ served }) => served ?? []), ...entry.leaving];
}

/**
 * The version a request goes to: the one it names, else the highest READY one. Throws with Triton's texts: NOT_FOUND for an
 * unknown model or version or when nothing is available, UNAVAILABLE for a named version that is not READY.
 */
export function resolveVersion(
  entry: ModelEntry | undefined,
  name: string,
  version: string | undefined,
): ServedVersion {
  if (entry === undefined || entry.versions.size === 0)
    throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' is not found`);
  if (version === undefined) {
    const served = highestReady(entry);
    if (served === undefined)
      throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' has no available versions`);
    return served;
  }
  const found = entry.versions.get(version);
  if (found === undefined)
    throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' version ${version} is not found`);
  if (found.state !== "READY" || found.served === undefined) {
    throw notReadyError({ name, version });
  }
  return found.served;
}

/** The same with namespacing: INVALID_ARGUMENT for a name that is unknown or that several models have (model-management.md §9). */
export function resolveInNamespaces(
  entry: ModelEntry | undefined,
  name: string,
  version: string | undefined,
): ServedVersion {
  if (entry?.identifiers !== undefined)
    throw new NereidError("INVALID_ARGUMENT", ambiguityText(name, entry.identifiers));
  if (entry === undefined || entry.versions.size === 0)
    throw new NereidError("INVALID_ARGUMENT", `Request for unknown model: '${name}' is not found`);
  return resolveVersion(entry, name, version);
}

/** Triton's text, and what to do. */
export function ambiguityText(name: string, identifiers: number): string {
  return `There are ${identifiers} identifiers of model '${name}' in global map, model namespace must be provided to resolve ambiguity. Requests have no namespace: give the model another name in all repositories but one.`;
}

function highestReady(entry: ModelEntry): ServedVersion | undefined {
  return sortedVersions(entry).findLast((candidate: VersionEntry) => candidate.state === "READY")?.served;
}

/** What a request for a version gets that is not READY. */
export function notReadyError({ name, version }: { readonly name: string; readonly version: string }): NereidError {
  return new NereidError(
    "UNAVAILABLE",
    `Request for unknown model: '${name}' version ${version} is not at ready state`,
  );
}
