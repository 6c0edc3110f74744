import { NereidError } from "@nereid/errors";
import { type PlanWarning, sortedVersions } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { refuseUnlessExplicit, unloadInTurn, unremembered } from "./repository.ts";

/** Versions of a model that take requests now, ascending. */
export function servedVersions(context: ServerContext, name: string): readonly string[] {
  const entry = context.manager.entry(name);
  return entry === undefined
    ? []
    : sortedVersions(entry)
        .filter(({ state }) => state === "READY")
        .map(({ version }) => version);
}

/**
 * Serves exactly these versions from now on, also after a restart; null = those of the version policy. Missing ones are loaded
 * first, then requests are switched over, then the others are unloaded. On failure everything stays as it was.
 */
export async function pinVersions(
  context: ServerContext,
  name: string,
  versions: readonly string[] | null,
): Promise<readonly PlanWarning[]> {
  refuseUnlessExplicit(context);
  const location = await context.repository.find(name);
  if (location === undefined) throw new NereidError("NOT_FOUND", `there is no model '${name}' in the repository`);
  if (versions !== null) await requireOnDisk(context, name, versions);
  const { warnings } = await context.manager.load(name, versions === null ? {} : { versions });
  return [...warnings, ...unremembered(await context.desired.pinned(name, versions))];
}

/** Serves one version beside those that are served. */
export async function loadVersion(
  context: ServerContext,
  name: string,
  version: string,
): Promise<readonly PlanWarning[]> {
  const served = servedVersions(context, name);
  return pinVersions(context, name, [...new Set([...served, version])]);
}

/** Stops serving one version; with the last one the model is unloaded. */
export async function unloadVersion(
  context: ServerContext,
  name: string,
  version: string,
): Promise<readonly PlanWarning[]> {
  refuseUnlessExplicit(context);
  const served = servedVersions(context, name);
  if (!served.includes(version))
    throw new NereidError("CONFLICT", `version ${version} of model '${name}' is not served`, {
      fix: served.length === 0 ? "nothing of this model is loaded" : `versions that are: ${served.join(", ")}`,
    });
  const rest = served.filter((candidate) => candidate !== version);
  return rest.length === 0 ? unloadInTurn(context, name) : pinVersions(context, name, rest);
}

async function requireOnDisk(context: ServerContext, name: string, versions: readonly string[]): Promise<void> {
  if (versions.length === 0) {
    throw new NereidError("INVALID_ARGUMENT", "at least one version must be chosen", {
      fix: "unload the model to serve none, or send null to follow the version policy",
    });
  }
  const onDisk = await versionsOnDisk(context, name);
  if (onDisk === undefined) return;
  const missing = versions.filter((version) => !onDisk.includes(version));
  if (missing.length > 0) {
    throw new NereidError("NOT_FOUND", `model '${name}' has no version ${missing.join(", ")}`, {
      fix: `versions in the repository: ${[...onDisk].sort((a, b) => Number(BigInt(a) - BigInt(b))).join(", ") || "none"}`,
    });
  }
}

/** Undefined for a model that is not in exactly one repository. */
export async function versionsOnDisk(
  { repository }: ServerContext,
  name: string,
): Promise<readonly string[] | undefined> {
  const location = await repository.find(name);
  if (location?.kind !== "unique") return undefined;
  return (await repository.read(location)).versions.map((found) => String(found.version));
}
