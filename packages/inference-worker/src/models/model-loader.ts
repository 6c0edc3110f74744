import { rm } from "node:fs/promises";
import { NereidError } from "@nereid/errors";
import { type ModelConfig, withInPlaceFieldsOf } from "@nereid/model-config";
import type { LocalRepository, ModelSnapshot } from "@nereid/model-repository";
import { composingModels } from "../ensemble/ensemble-steps.ts";
import { abortable } from "./abortable.ts";
import { type DependencyHost, loadComposing } from "./ensemble-dependencies.ts";
import type { LoadProgress, ModelEvent } from "./load-progress.ts";
import { type LoadedVersion, type LoaderContext, loadVersions, reasonText, VersionsFailed } from "./load-versions.ts";
import type { Admission, MemoryAdmission } from "./memory-admission.ts";
import {
  isServed,
  type LoadOutcome,
  type ModelEntry,
  sortedVersions,
  statusOf,
  type VersionEntry,
  withStatus,
} from "./model-entry.ts";
import type { VersionPlan } from "./model-plan.ts";
import { type PlanContext, PlanFailure, PollFailure, planModel } from "./plan-model.ts";
import { ambiguityText } from "./resolve-version.ts";
import type { ServedVersion } from "./served-version.ts";
import { stageOverride } from "./stage-override.ts";
import type { VersionSwitch } from "./version-switch.ts";

export interface ModelLoaderOptions {
  readonly repository: LocalRepository;
  readonly plan: PlanContext;
  /** Private directory for the files of load requests. */
  readonly overrideDirectory: string;
  readonly loader: LoaderContext;
  /** A name may stand in several repositories (model-management.md §9). */
  readonly namespacing?: boolean;
  /** The other models, for ensembles. */
  readonly host: DependencyHost;
  readonly memory: MemoryAdmission | undefined;
  readonly versions: VersionSwitch;
  /** Models that a person unloaded. */
  readonly withheld?: (model: string) => boolean;
  /** Told when requests reach something new. */
  readonly onChanged: (model: string) => void;
  readonly onEvent?: (event: ModelEvent) => void;
  readonly log: (event: string, context: Readonly<Record<string, unknown>>) => void;
}

export interface LoadParameters {
  /** JSON configuration used instead of the file, for this load only. */
  readonly config?: string;
  /** Files by path inside the model's directory, used instead of what is on disk; needs `config`. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Versions to serve instead of those that the version policy selects. */
  readonly versions?: readonly string[];
  /** Files of another model instead of the repository's; needs `config`. They belong to the load from here on. */
  readonly candidate?: CandidateLoad;
}

/** What a candidate is loaded from. */
export interface CandidateLoad {
  readonly of: string;
  readonly snapshot: ModelSnapshot;
  /** Its process gives way to others as long as it lives. */
  readonly lowPriority: boolean;
}

interface Load {
  readonly parameters: LoadParameters;
  readonly progress: LoadProgress;
}

/** One load of one model, from its files to versions that take requests; whoever calls sees to it that there is one at a time. */
export class ModelLoader {
  readonly #options: ModelLoaderOptions;

  constructor(options: ModelLoaderOptions) {
    this.#options = options;
  }

  /** Does nothing for unchanged files. On failure what was serving goes on serving, and the entry says why. */
  async load(entry: ModelEntry, parameters: LoadParameters, progress: LoadProgress): Promise<LoadOutcome> {
    const { clock } = this.#options.loader.host;
    const started = clock.nowNs();
    progress.enter("reading");
    try {
      const snapshot = await this.#snapshot(entry, parameters);
      if (snapshot === undefined) return this.#leaveAmbiguous(entry);
      entry.identifiers = undefined;
      const samePins = pinKey(parameters.versions) === pinKey(entry.pinned);
      if (parameters.config === undefined && samePins && entry.fingerprint === snapshot.fingerprint)
        return { warnings: entry.warnings, changed: false };
      this.#options.onEvent?.({ kind: "load-started", model: entry.name });
      const outcome = await this.#loadStaged(entry, snapshot, { parameters, progress });
      const seconds = (clock.nowNs() - started) / 1e9;
      const versions = sortedVersions(entry).map(({ version }) => version);
      this.#options.log("model loaded", { model: entry.name, versions, seconds, warnings: outcome.warnings.length });
      const ready = sortedVersions(entry).filter(({ state }) => state === "READY");
      this.#options.onEvent?.({
        kind: "load-finished",
        model: entry.name,
        versions: ready.map(({ version }) => version),
        seconds,
      });
      return outcome;
    } catch (error) {
      const failure = NereidError.from(error);
      if (progress.abort.signal.aborted) {
        // Somebody wanted it so: nothing is wrong with the model.
        this.#options.log("model load cancelled", { model: entry.name });
        this.#options.onEvent?.({ kind: "load-cancelled", model: entry.name });
        throw failure;
      }
      entry.lastLoadError = failure.message.trimEnd();
      this.#options.log("model load failed", { model: entry.name, error: entry.lastLoadError });
      this.#options.onEvent?.({ kind: "load-failed", model: entry.name, reason: entry.lastLoadError });
      throw failure;
    }
  }

  /** Loads, and removes the files of a load request that are not served: those of this load when it fails, else the ones before. */
  async #loadStaged(entry: ModelEntry, snapshot: ModelSnapshot, load: Load): Promise<LoadOutcome> {
    const { files, candidate } = load.parameters;
    const staged = files === undefined && candidate === undefined ? undefined : snapshot.repository;
    try {
      const outcome = await this.#loadSnapshot(entry, snapshot, load);
      await replaceOverride(entry, staged);
      return outcome;
    } catch (error) {
      if (staged !== undefined) await rm(staged, { recursive: true, force: true });
      throw error;
    }
  }

  /** No request can say which of several models of one name it means: none is served until the name is given to one only. */
  #leaveAmbiguous(entry: ModelEntry): LoadOutcome {
    for (const version of entry.versions.values()) this.#options.versions.retire(entry, version);
    entry.fingerprint = undefined;
    entry.warnings = [{ code: "ambiguous-name", message: ambiguityText(entry.name, entry.identifiers ?? 2) }];
    entry.lastLoadError = "";
    return { warnings: entry.warnings, changed: false };
  }

  /** Undefined, with namespacing, for a name that stands in several repositories. */
  async #snapshot(entry: ModelEntry, parameters: LoadParameters): Promise<ModelSnapshot | undefined> {
    const { name } = entry;
    entry.missing = entry.versions.size === 0;
    if (parameters.candidate !== undefined) {
      entry.missing = false;
      if (!isServed(entry)) entry.candidateOf = parameters.candidate.of;
      return parameters.candidate.snapshot;
    }
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

  async #loadSnapshot(entry: ModelEntry, snapshot: ModelSnapshot, load: Load): Promise<LoadOutcome> {
    const { parameters, progress } = load;
    const { signal } = progress;
    const plan = { ...this.#plan(entry, snapshot, parameters), signal };
    const kept = new Map<string, VersionEntry>();
    // A configuration given with the load always reloads (model-management.md §4).
    const always = parameters.config !== undefined;
    for (const version of plan.versions) {
      const current = entry.versions.get(version.version);
      if (!always && current?.state === "READY" && current.key === version.key)
        kept.set(version.version, staying(current, plan.config));
    }
    const fresh = plan.versions.filter(({ version }) => !kept.has(version));
    for (const { version } of fresh) entry.versions = withStatus(entry, version, { state: "LOADING", reason: "" });
    let loaded: readonly LoadedVersion[] = [];
    let room: Admission | undefined;
    try {
      if (plan.config.platform === "ensemble") await abortable(this.#prepareEnsemble(entry, plan.config), signal);
      room = await this.#admit(entry, fresh, progress);
      for (const { version } of fresh) progress.at(version, "queued");
      loaded = await loadVersions(plan, fresh, {
        ...this.#options.loader,
        lowPriority: parameters.candidate?.lowPriority === true,
        onLoadStage: (_model, version, stage) => progress.at(version, stage),
      });
      for (const { version, instances } of plan.versions) {
        const served = kept.get(version)?.served;
        if (served === undefined) continue;
        if (served.instances.length !== instances.length) progress.at(version, "instances");
        await served.resize(instances, signal);
      }
    } catch (error) {
      await Promise.all(loaded.map(({ served, closeSeries }) => served.stop(0).finally(closeSeries)));
      room?.release();
      // An ensemble without its models has no version of its own any more.
      const failed = fresh.filter(({ version }) => statusOf(entry.versions.get(version))?.state === "LOADING");
      this.#markFailed(
        entry,
        failed.map(({ version }) => version),
        error,
      );
      throw error;
    }
    this.#options.versions.swap(entry, kept, loaded);
    for (const { plan: version, served } of loaded) this.#remember(version, served);
    // Until here it counted with what it would take, from here on with what it takes.
    room?.release();
    entry.config = sortedVersions(entry).findLast(({ state }) => state === "READY")?.config ?? entry.config;
    entry.warnings = plan.warnings;
    entry.candidateOf = parameters.candidate?.of;
    entry.pinned = parameters.candidate === undefined ? parameters.versions : undefined;
    entry.lastLoadError = "";
    entry.fingerprint = parameters.config === undefined ? snapshot.fingerprint : undefined;
    if (fresh.length > 0) this.#options.onChanged(entry.name);
    return { warnings: plan.warnings, changed: fresh.length > 0 };
  }

  /** Waits for memory; what is missing becomes the reason of every version. */
  async #admit(
    entry: ModelEntry,
    versions: readonly VersionPlan[],
    progress: LoadProgress,
  ): Promise<Admission | undefined> {
    if (versions.length === 0) return undefined;
    try {
      return await this.#options.memory?.admit({
        model: entry.name,
        versions,
        reload: isServed(entry),
        signal: progress.signal,
        onWait: () => {
          for (const { version } of versions) progress.at(version, "memory");
        },
      });
    } catch (error) {
      if (progress.signal.aborted) throw error;
      const reasons = new Map(versions.map(({ version }) => [version, reasonText(error)]));
      throw new VersionsFailed(entry.name, reasons, NereidError.from(error).code);
    }
  }

  #remember({ key }: VersionPlan, served: ServedVersion): void {
    const { peakBytes, loadedBytes } = served.measureMemory();
    const took = Math.max(peakBytes ?? 0, loadedBytes ?? 0);
    if (took > 0) this.#options.memory?.remember(key, took);
  }

  /** Brings up the models of an ensemble. It has no version of its own without them. */
  async #prepareEnsemble(entry: ModelEntry, config: ModelConfig): Promise<void> {
    try {
      this.#refuseWithheld(entry, config);
      entry.needs = composingModels(config);
      await loadComposing(this.#options.host, config);
      entry.waitsForModels = false;
    } catch (error) {
      const { message } = NereidError.from(error);
      entry.versions = new Map([...entry.versions].filter(([, { served }]) => served !== undefined));
      throw new NereidError("INTERNAL", `failed to load '${entry.name}', no version is available: ${message}`, {
        cause: error,
      });
    }
  }

  /** What a person unloaded no request brings back, not even through an ensemble. */
  #refuseWithheld(entry: ModelEntry, config: ModelConfig): void {
    if (entry.wantedBy !== "request") return;
    const model = composingModels(config).find((name) => {
      const known = this.#options.host.entry(name);
      return (known === undefined || !isServed(known)) && this.#options.withheld?.(name) === true;
    });
    if (model === undefined) return;
    throw new NereidError(
      "INVALID_ARGUMENT",
      `ensemble '${entry.name}' depends on '${model}' which has no loaded version. It was unloaded by hand: load it, or the ensemble, again`,
    );
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
      const reason = reasons.get(version) ?? "unloaded";
      entry.versions = withStatus(entry, version, { state: "UNAVAILABLE", reason });
    }
  }
}

/** A version that stays, as it now stands in the configuration. */
function staying(version: VersionEntry, planned: ModelConfig): VersionEntry {
  return version.config === undefined ? version : { ...version, config: withInPlaceFieldsOf(planned, version.config) };
}

/** One text for one choice of versions; empty for the version policy's. */
export function pinKey(versions: readonly string[] | undefined): string {
  return versions === undefined ? "" : [...versions].sort().join(",");
}

export async function replaceOverride(entry: ModelEntry, root: string | undefined): Promise<void> {
  const before = entry.overrideRoot;
  entry.overrideRoot = root;
  if (before !== undefined) await rm(before, { recursive: true, force: true });
}
