import type { ModelConfig } from "@nereid/model-config";
import type { LoadProgress } from "./load-progress.ts";
import type { PlanWarning } from "./model-plan.ts";
import type { ServedVersion } from "./served-version.ts";

/** An ensemble's need goes with it, a request's with its use; what a person loaded stays until a person unloads it. */
export type WantedBy = "nobody" | "person" | "ensemble" | "request";

export type VersionState = "UNKNOWN" | "READY" | "UNAVAILABLE" | "LOADING" | "UNLOADING";

/** One version as the repository index shows it. Only a READY or UNLOADING version has something that serves. */
export interface VersionEntry {
  readonly version: string;
  readonly state: VersionState;
  readonly reason: string;
  readonly served?: ServedVersion;
  /** The configuration as served: completed with the model's own signature. */
  readonly config?: ModelConfig;
  readonly key?: string;
  /** The files that are served: where they stand, and what they were when they were loaded. */
  readonly files?: { readonly directory: string; readonly fingerprint: string };
  /** What is to be told of the version when what is UNLOADING has ended: a load of it that is under way, or that failed, since. */
  readonly next?: Pick<VersionEntry, "state" | "reason">;
}

/** A model somebody asked for, or that the start or a poll loaded. */
export interface ModelEntry {
  readonly name: string;
  versions: ReadonlyMap<string, VersionEntry>;
  /** Configuration of what is served, completed with the model's signature. */
  config: ModelConfig | undefined;
  warnings: readonly PlanWarning[];
  lastLoadError: string;
  /** Fingerprint of the files behind what is served; undefined after an override or before a first load. */
  fingerprint: string | undefined;
  /** Versions chosen by hand for what is served; undefined = the version policy chose. */
  pinned: readonly string[] | undefined;
  /** Its files were not found when they were last looked for, and nothing of it was ever served: forgotten once nobody waits. */
  missing: boolean;
  /** With namespacing: in how many repositories the name stands, when that is more than one; nothing is served then. */
  identifiers: number | undefined;
  /** Versions that were replaced or unloaded and may still hold sequences, the last first. */
  leaving: readonly ServedVersion[];
  /** An ensemble that somebody wants and whose models are not all there: loaded again when they are. */
  waitsForModels: boolean;
  /** Models of an ensemble that is just being loaded: none of them may go. */
  needs: readonly string[];
  /** Whose wish it is that the model is loaded. */
  wantedBy: WantedBy;
  /** Loads that are in progress or wait for their turn. */
  readonly loads: Set<LoadProgress>;
  /** Directory of the files of a load request that is served; removed when something else is. */
  overrideRoot: string | undefined;
  /** The model whose files it serves with another configuration; undefined for a model of the repository. */
  candidateOf: string | undefined;
  /** Loads and unloads of one model happen one after the other. */
  tail: Promise<unknown>;
  /** A plain load that has not begun its work yet: later plain loads of the same versions join it. */
  joinable: { readonly outcome: Promise<LoadOutcome>; readonly versions: string } | undefined;
}

export interface LoadOutcome {
  readonly warnings: readonly PlanWarning[];
  /** False when the model was already loaded from the same files. */
  readonly changed: boolean;
}

export function newEntry(name: string): ModelEntry {
  return {
    name,
    versions: new Map(),
    config: undefined,
    warnings: [],
    lastLoadError: "",
    fingerprint: undefined,
    identifiers: undefined,
    overrideRoot: undefined,
    candidateOf: undefined,
    leaving: [],
    wantedBy: "nobody",
    loads: new Set(),
    waitsForModels: false,
    needs: [],
    pinned: undefined,
    missing: false,
    tail: Promise.resolve(),
    joinable: undefined,
  };
}

/** Some version of it takes requests. */
export function isServed({ versions }: ModelEntry): boolean {
  return [...versions.values()].some(({ state }) => state === "READY");
}

/** The versions of an entry, ascending. */
export function sortedVersions(entry: ModelEntry): readonly VersionEntry[] {
  return [...entry.versions.values()].sort((a, b) => Number(BigInt(a.version) - BigInt(b.version)));
}

/** What is told of a version that has nothing to serve, at once or when what is UNLOADING has ended; a READY one stays. */
export function withStatus(
  entry: ModelEntry,
  version: string,
  status: Pick<VersionEntry, "state" | "reason">,
): ReadonlyMap<string, VersionEntry> {
  const current = entry.versions.get(version);
  if (current?.served === undefined) return withVersion(entry, { version, ...status });
  return current.state === "UNLOADING" ? withVersion(entry, { ...current, next: status }) : entry.versions;
}

/** What was last told of a version, of what it has become since it is UNLOADING. */
export function statusOf(version: VersionEntry | undefined): Pick<VersionEntry, "state" | "reason"> | undefined {
  return version?.next ?? version;
}

/** A copy of the entry's versions with one replaced; the map itself is never changed, so a reader sees one moment. */
export function withVersion(entry: ModelEntry, version: VersionEntry): ReadonlyMap<string, VersionEntry> {
  return new Map(entry.versions).set(version.version, version);
}
