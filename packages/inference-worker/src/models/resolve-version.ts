import { NereidError } from "@nereid/errors";
import { type ModelEntry, sortedVersions, type VersionEntry } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";

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
    throw new NereidError(
      "UNAVAILABLE",
      `Request for unknown model: '${name}' version ${version} is not at ready state`,
    );
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
