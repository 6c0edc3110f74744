import { rm } from "node:fs/promises";
import { NereidError } from "@nereid/errors";
import { type ModelConfig, withInPlaceFieldsOf } from "@nereid/model-config";
import type { LocalRepository, ModelSnapshot } from "@nereid/model-repository";
import { type LoadedVersion, type LoaderContext, loadVersions, reasonText, VersionsFailed } from "./load-versions.ts";
import {
  type LoadOutcome,
  type ModelEntry,
  newEntry,
  sortedVersions,
  type VersionEntry,
  withVersion,
} from "./model-entry.ts";
import { type PlanContext, PlanFailure, PollFailure, planModel } from "./plan-model.ts";
import { ambiguityText, resolveInNamespaces, resolveVersion } from "./resolve-version.ts";
import type { ServedVersion } from "./served-version.ts";
import { stageOverride } from "./stage-override.ts";

export interface ModelManagerOptions {
  readonly repository: LocalRepository;
  readonly plan: PlanContext;
  /** Private directory for the files of load requests. */
  readonly overrideDirectory: string;
  readonly loader: LoaderContext;
  /** A name may stand in several repositories (model-management.md §9). */
  readonly namespacing?: boolean;
  /** How long an unload or swap waits for accepted requests before it ends the runner. */
  readonly drainMs: number;
  readonly log: (event: string, context: Readonly<Record<string, unknown>>) => void;
}

export interface LoadParameters {
  /** JSON configuration used instead of the file, for this load only. */
  readonly config?: string;
  /** Files by path inside the model's directory, used instead of what is on disk; needs `config`. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Versions to serve instead of those that the version policy selects. */
  readonly versions?: readonly string[];
}

/**
 * All models of the server: loading, unloading, swapping and finding them. Operations on one model happen one after the
 * other, on different models side by side; nothing here blocks an inference.
 */
export class ModelManager {
  readonly #options: ModelManagerOptions;
  readonly #entries = new Map<string, ModelEntry>();
  readonly #stopping = new Set<Promise<void>>();
  readonly #series = new Map<ServedVersion, () => void>();

  constructor(options: ModelManagerOptions) {
    this.#options = options;
  }

  /** Models that were ever asked for, by name. */
  get entries(): readonly ModelEntry[] {
    return [...this.#entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  entry(name: string): ModelEntry | undefined {
    return this.#entries.get(name);
  }

  resolve(name: string, version?: string): ServedVersion {
    const entry = this.#entries.get(name);
    return this.#options.namespacing === true
      ? resolveInNamespaces(entry, name, version)
      : resolveVersion(entry, name, version);
  }

  /**
   * Loads or reloads a model. Returns once it serves; a load of unchanged files does nothing. Plain loads asked for while one
   * waits are that one load; one that runs has read its files already and cannot be joined. On failure what was serving
   * goes on serving.
   */
  load(name: string, parameters: LoadParameters = {}): Promise<LoadOutcome> {
    const entry = this.#entryFor(name);
    const plain = parameters.config === undefined && parameters.files === undefined;
    const versions = pinKey(parameters.versions);
    if (plain && entry.joinable?.versions === versions) return entry.joinable.outcome;
    const outcome = this.#inTurn(entry, () => {
      if (entry.joinable?.outcome === outcome) entry.joinable = undefined;
      return this.#load(entry, parameters);
    });
    entry.joinable = plain ? { outcome, versions } : undefined;
    return outcome;
  }

  /** Unloads a model. Returns once no new request can reach it; accepted requests still finish. Unknown models are a success. */
  async unload(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    // A load asked for after this unload must not join one from before it.
    entry.joinable = undefined;
    await this.#inTurn(entry, async () => {
      for (const version of entry.versions.values()) this.#retire(entry, version);
      entry.fingerprint = undefined;
      entry.pinned = undefined;
      entry.identifiers = undefined;
      await replaceOverride(entry, undefined);
      this.#options.log("model unloaded", { model: name });
    });
  }

  /** Drops what is known of a model of which nothing is served; its files are gone. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined && ![...entry.versions.values()].some(({ served }) => served !== undefined))
      this.#entries.delete(name);
  }

  /** Stops every model: refuses new requests, finishes accepted ones until the deadline, ends all runners. */
  async close(deadlineMs: number): Promise<void> {
    const stops: Promise<void>[] = [...this.#stopping];
    for (const entry of this.#entries.values()) {
      for (const { served } of entry.versions.values()) if (served !== undefined) stops.push(served.stop(deadlineMs));
    }
    await Promise.allSettled(stops);
  }

  /** Gives back shared memory that stood empty; call it every few seconds. */
  sweep(): void {
    for (const entry of this.#entries.values()) for (const { served } of entry.versions.values()) served?.sweep();
  }

  #entryFor(name: string): ModelEntry {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = newEntry(name);
      this.#entries.set(name, entry);
    }
    return entry;
  }

  #inTurn<T>(entry: ModelEntry, task: () => Promise<T>): Promise<T> {
    const turn = entry.tail.then(task);
    const tail = turn.then(
      () => undefined,
      () => {
        // A mistyped name must neither keep the server from being ready nor stay in memory.
        if (entry.missing && entry.tail === tail) this.#entries.delete(entry.name);
      },
    );
    entry.tail = tail;
    return turn;
  }

  async #load(entry: ModelEntry, parameters: LoadParameters): Promise<LoadOutcome> {
    const started = this.#options.loader.host.clock.nowNs();
    try {
      const snapshot = await this.#snapshot(entry, parameters);
      if (snapshot === undefined) return this.#leaveAmbiguous(entry);
      entry.identifiers = undefined;
      const samePins = pinKey(parameters.versions) === pinKey(entry.pinned);
      if (parameters.config === undefined && samePins && entry.fingerprint === snapshot.fingerprint)
        return { warnings: entry.warnings, changed: false };
      const outcome = await this.#loadStaged(entry, snapshot, parameters);
      const seconds = (this.#options.loader.host.clock.nowNs() - started) / 1e9;
      this.#options.log("model loaded", {
        model: entry.name,
        versions: [...entry.versions.keys()],
        seconds,
        warnings: outcome.warnings.length,
      });
      return outcome;
    } catch (error) {
      const failure = NereidError.from(error);
      entry.lastLoadError = failure.message.trimEnd();
      this.#options.log("model load failed", { model: entry.name, error: entry.lastLoadError });
      throw failure;
    }
  }

  /** Loads, and removes the files of a load request that are not served: those of this load when it fails, else the ones before. */
  async #loadStaged(entry: ModelEntry, snapshot: ModelSnapshot, parameters: LoadParameters): Promise<LoadOutcome> {
    const staged = parameters.files === undefined ? undefined : snapshot.repository;
    try {
      const outcome = await this.#loadSnapshot(entry, snapshot, parameters);
      await replaceOverride(entry, staged);
      return outcome;
    } catch (error) {
      if (staged !== undefined) await rm(staged, { recursive: true, force: true });
      throw error;
    }
  }

  /** No request can say which of several models of one name it means: none is served until the name is given to one only. */
  #leaveAmbiguous(entry: ModelEntry): LoadOutcome {
    for (const version of entry.versions.values()) this.#retire(entry, version);
    entry.fingerprint = undefined;
    entry.warnings = [{ code: "ambiguous-name", message: ambiguityText(entry.name, entry.identifiers ?? 2) }];
    entry.lastLoadError = "";
    return { warnings: entry.warnings, changed: false };
  }

  /** Undefined, with namespacing, for a name that stands in several repositories. */
  async #snapshot(entry: ModelEntry, parameters: LoadParameters): Promise<ModelSnapshot | undefined> {
    const { name } = entry;
    entry.missing = entry.versions.size === 0;
    if (parameters.files !== undefined && parameters.files.size > 0) {
      if (parameters.config === undefined)
        throw new PollFailure(name, "Load parameter 'config' must be specified for model file override");
      const staged = await stageOverride(name, parameters.files, this.#options.overrideDirectory);
      entry.missing = false;
      return staged;
    }
    const location = await this.#options.repository.find(name);
    if (location === undefined) {
      throw new PollFailure(
        name,
        `no repository has a directory '${name}' (searched ${this.#options.repository.roots.join(", ")})`,
      );
    }
    entry.missing = false;
    if (location.kind === "ambiguous" && this.#options.namespacing === true) {
      entry.identifiers = location.directories.length;
      return undefined;
    }
    if (location.kind === "ambiguous")
      throw new PollFailure(name, `model appears in two or more repositories: ${location.directories.join(", ")}`);
    return this.#options.repository.read(location);
  }

  async #loadSnapshot(entry: ModelEntry, snapshot: ModelSnapshot, parameters: LoadParameters): Promise<LoadOutcome> {
    const plan = this.#plan(entry, snapshot, parameters);
    const kept = new Map<string, VersionEntry>();
    for (const version of plan.versions) {
      const current = entry.versions.get(version.version);
      if (current?.state === "READY" && current.key === version.key)
        kept.set(version.version, staying(current, plan.config));
    }
    const fresh = plan.versions.filter(({ version }) => !kept.has(version));
    for (const { version } of fresh) {
      if (entry.versions.get(version)?.served === undefined)
        entry.versions = withVersion(entry, { version, state: "LOADING", reason: "" });
    }
    let loaded: readonly LoadedVersion[];
    try {
      loaded = await loadVersions(plan, fresh, this.#options.loader);
    } catch (error) {
      this.#markFailed(
        entry,
        fresh.map(({ version }) => version),
        error,
      );
      throw error;
    }
    for (const { version, instances } of plan.versions) await kept.get(version)?.served?.resize(instances);
    this.#swap(entry, kept, loaded);
    entry.config = sortedVersions(entry).findLast(({ state }) => state === "READY")?.config ?? entry.config;
    entry.warnings = plan.warnings;
    entry.pinned = parameters.versions;
    entry.lastLoadError = "";
    entry.fingerprint = parameters.config === undefined ? snapshot.fingerprint : undefined;
    return { warnings: plan.warnings, changed: fresh.length > 0 };
  }

  #plan(entry: ModelEntry, snapshot: ModelSnapshot, parameters: LoadParameters) {
    try {
      const { config, versions } = parameters;
      return planModel(snapshot, this.#options.plan, {
        ...(config !== undefined && { config }),
        ...(versions !== undefined && { versions }),
      });
    } catch (error) {
      if (!(error instanceof PlanFailure)) throw error;
      if (error.versions.length === 0) {
        throw new NereidError("INTERNAL", `failed to load '${entry.name}', no version is available: ${error.message}`, {
          cause: error,
        });
      }
      const failed = new VersionsFailed(
        entry.name,
        new Map(error.versions.map((version) => [version, reasonText(error)])),
      );
      this.#markFailed(entry, error.versions, failed);
      throw failed;
    }
  }

  /** What was serving stays as it is; a version that never served shows why. */
  #markFailed(entry: ModelEntry, versions: readonly string[], error: unknown): void {
    const reasons = error instanceof VersionsFailed ? error.reasons : new Map<string, string>();
    for (const version of versions) {
      if (entry.versions.get(version)?.served !== undefined) continue;
      const reason = reasons.get(version) ?? "unloaded";
      entry.versions = withVersion(entry, { version, state: "UNAVAILABLE", reason });
    }
  }

  /** Puts the new versions in place in one step, then lets the old ones finish and end. */
  #swap(entry: ModelEntry, kept: ReadonlyMap<string, VersionEntry>, loaded: readonly LoadedVersion[]): void {
    const before = entry.versions;
    const after = new Map<string, VersionEntry>(kept);
    for (const { plan, served, config, closeSeries } of loaded) {
      after.set(plan.version, { version: plan.version, state: "READY", reason: "", served, config, key: plan.key });
      this.#series.set(served, closeSeries);
    }
    const gone = [...before.values()].filter((version) => after.get(version.version)?.served !== version.served);
    for (const version of gone) {
      if (!after.has(version.version)) after.set(version.version, version);
    }
    entry.versions = after;
    for (const version of gone) {
      if (after.get(version.version) === version) this.#retire(entry, version);
      else if (version.served !== undefined) this.#stop(version.served);
    }
  }

  #retire(entry: ModelEntry, version: VersionEntry): void {
    const { served } = version;
    if (served === undefined) {
      if (version.state !== "UNAVAILABLE" || version.reason !== "unloaded") {
        entry.versions = withVersion(entry, { version: version.version, state: "UNAVAILABLE", reason: "unloaded" });
      }
      return;
    }
    if (version.state === "UNLOADING") return;
    const unloading: VersionEntry = { version: version.version, state: "UNLOADING", reason: "", served };
    entry.versions = withVersion(entry, unloading);
    void this.#stop(served).then(() => {
      if (entry.versions.get(version.version) !== unloading) return;
      entry.versions = withVersion(entry, { version: version.version, state: "UNAVAILABLE", reason: "unloaded" });
    });
  }

  #stop(served: ServedVersion): Promise<void> {
    const stopped = served.stop(this.#options.drainMs).finally(() => {
      this.#series.get(served)?.();
      this.#series.delete(served);
      this.#stopping.delete(stopped);
      this.#options.log("runner ended", {
        model: served.spec.name,
        version: served.spec.version,
        memory: served.ledger,
      });
    });
    this.#stopping.add(stopped);
    return stopped;
  }
}

/** A version that stays, as it now stands in the configuration. */
function staying(version: VersionEntry, planned: ModelConfig): VersionEntry {
  return version.config === undefined ? version : { ...version, config: withInPlaceFieldsOf(planned, version.config) };
}

/** One text for one choice of versions; empty for the version policy's. */
function pinKey(versions: readonly string[] | undefined): string {
  return versions === undefined ? "" : [...versions].sort().join(",");
}

async function replaceOverride(entry: ModelEntry, root: string | undefined): Promise<void> {
  const before = entry.overrideRoot;
  entry.overrideRoot = root;
  if (before !== undefined) await rm(before, { recursive: true, force: true });
}

/** Strict readiness: every model asked for has a version, and every version answers or was unloaded on purpose. */
export function allReady(entries: readonly ModelEntry[]): boolean {
  return entries.every((entry) => {
    if (entry.identifiers !== undefined) return true;
    const versions = sortedVersions(entry);
    return (
      versions.length > 0 &&
      versions.every(
        (version) => (version.state === "READY" && version.served?.ready === true) || version.reason === "unloaded",
      )
    );
  });
}
