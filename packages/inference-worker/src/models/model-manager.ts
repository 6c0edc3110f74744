import { NereidError } from "@nereid/errors";
import type { LocalRepository } from "@nereid/model-repository";
import { composingModels } from "../ensemble/ensemble-steps.ts";
import { type AnnouncedLoad, AnnouncedLoads } from "./announced-loads.ts";
import { checkComposing, dependentsOf } from "./ensemble-dependencies.ts";
import { type LoadInProgress, LoadProgress, type ModelEvent } from "./load-progress.ts";
import { type LoaderContext, reasonText } from "./load-versions.ts";
import { MemoryAdmission, type MemoryOptions } from "./memory-admission.ts";
import { isServed, type LoadOutcome, type ModelEntry, newEntry, sortedVersions } from "./model-entry.ts";
import { type LoadParameters, ModelLoader, pinKey, replaceOverride } from "./model-loader.ts";
import { ModelUse, usersOf } from "./model-use.ts";
import type { PlanContext } from "./plan-model.ts";
import {
  leaveSequence,
  type RequestChoice,
  resolveInNamespaces,
  resolveVersion,
  versionOfSequence,
} from "./resolve-version.ts";
import type { ServedVersion } from "./served-version.ts";
import { splitWithout, type TrafficSplit } from "./traffic-split.ts";
import { TrafficTable } from "./traffic-table.ts";
import { VersionSwitch } from "./version-switch.ts";

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
  /** How traffic was divided before, by model. */
  readonly traffic?: ReadonlyMap<string, TrafficSplit>;
  /** Without it loads are not held back for lack of memory. */
  readonly memory?: MemoryOptions;
  /** Models that a person unloaded: no request brings them up. */
  readonly withheld?: (model: string) => boolean;
  /** Versions chosen by hand, for a model that an ensemble brings up. */
  readonly pinOf?: (model: string) => readonly string[] | undefined;
  readonly onEvent?: (event: ModelEvent) => void;
  readonly log: (event: string, context: Readonly<Record<string, unknown>>) => void;
}

const NO_ENTRIES: readonly ModelEntry[] = [];

/**
 * All models of the server: loading, unloading, swapping and finding them. Operations on one model happen one after the
 * other, on different models side by side; nothing here blocks an inference.
 */
export class ModelManager {
  readonly #options: ModelManagerOptions;
  readonly #entries = new Map<string, ModelEntry>();
  readonly #traffic = new TrafficTable((name) => this.#entries.get(name));
  readonly #announced = new AnnouncedLoads();
  readonly #switch: VersionSwitch;
  readonly #memory: MemoryAdmission | undefined;
  readonly #use: ModelUse;
  readonly #loader: ModelLoader;

  constructor(options: ModelManagerOptions) {
    this.#options = options;
    for (const [model, split] of options.traffic ?? []) this.#traffic.set(model, split);
    this.#use = new ModelUse(this, options.loader.host.clock);
    this.#memory =
      options.memory &&
      new MemoryAdmission(options.memory, {
        holdings: (model) => this.#use.holdings(model),
        evict: (model) => this.evict(model, "memory"),
      });
    const { drainMs, log } = options;
    this.#switch = new VersionSwitch({ drainMs, log, onEnded: () => this.#memory?.changed() });
    this.#loader = new ModelLoader({
      ...options,
      host: this,
      memory: this.#memory,
      versions: this.#switch,
      onChanged: (model) => this.#revalidateDependents(model),
    });
  }

  /** Models that were ever asked for, by name. */
  get entries(): readonly ModelEntry[] {
    return [...this.#entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  entry(name: string): ModelEntry | undefined {
    return this.#entries.get(name);
  }

  /** The version a request goes to. Throws with Triton's texts where there is none. */
  resolve(name: string, version?: string, choice: RequestChoice = {}): ServedVersion {
    const entry = this.#entries.get(name);
    const candidates = choice.sequence === undefined ? NO_ENTRIES : this.#candidatesOf(name);
    const held = versionOfSequence(entry, version, { ...choice, candidates });
    if (held !== undefined) return held;
    if (version === undefined && choice.traffic !== undefined && entry !== undefined) {
      const { traffic, sticky, told } = choice;
      const chosen = this.#traffic.choose(entry, { take: traffic === "take", sticky, told });
      if (chosen !== undefined) {
        if (choice.sequence?.start === true && candidates.length > 0)
          leaveSequence([entry, ...candidates], chosen, choice.sequence.id);
        return chosen;
      }
    }
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
    const outcome = this.#begin(entry, (progress) => {
      if (entry.joinable?.outcome === outcome) entry.joinable = undefined;
      entry.wantedBy = "person";
      return this.#loader.load(entry, parameters, progress);
    });
    entry.joinable = plain ? { outcome, versions } : undefined;
    return outcome;
  }

  /**
   * Loads the model, with these versions, unless some version of it is served; for a request, and only as long as requests use it.
   * Throws as a request for an unknown model for one that a person unloaded.
   */
  async loadOnDemand(name: string, versions: () => readonly string[] | undefined): Promise<void> {
    const entry = this.#entryFor(name);
    await this.#begin(entry, async (progress) => {
      if (isServed(entry)) return { warnings: entry.warnings, changed: false };
      if (this.#options.withheld?.(name) === true)
        throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' has no available versions`);
      if (entry.wantedBy === "nobody") entry.wantedBy = "request";
      const chosen = versions();
      return this.#loader.load(entry, chosen === undefined ? {} : { versions: chosen }, progress);
    });
  }

  /** Unloads a model that was loaded on demand, unless somebody needs it by now. Requests that it has are answered. */
  async evict(name: string, reason: "idle" | "memory"): Promise<void> {
    const entry = this.#entries.get(name);
    // Also before its turn: a load that waits for memory must not wait for a turn that may be behind its own.
    if (entry === undefined || !this.#use.isEvictable(entry)) return;
    const evicted = await this.#inTurn(entry, async () => {
      if (!this.#use.isEvictable(entry)) return false;
      await this.#leave(entry);
      return true;
    });
    if (!evicted) return;
    this.#options.log("model evicted", { model: name, reason });
    this.#options.onEvent?.({ kind: "evicted", model: name, reason });
    this.#revalidateDependents(name);
    const left = this.#leaveToRequests(stepsOf(entry));
    if (reason === "memory") for (const model of left) await this.evict(model, reason);
  }

  /** Models loaded on demand that no request has used for so long. */
  idleModels(idleMs: number): readonly string[] {
    return this.#use.idle(idleMs);
  }

  /** Keeps a model from being evicted, and notes that it is used, until `release` is called. */
  hold(name: string): { release(): void } {
    const hold = this.#use.hold(name);
    return {
      release: () => {
        hold.release();
        this.#memory?.changed();
      },
    };
  }

  /** A load that will be asked for when something else is done: counts as one that waits, also for those who cancel. */
  announce(name: string): AnnouncedLoad {
    return this.#announced.add(name, this.#progressOf(name));
  }

  /** Ends the loads of a model that are in progress or wait; each answers CANCELLED, and what is served goes on. Returns their number. */
  cancelLoads(name: string): number {
    const entry = this.#entries.get(name);
    const loads = this.#loadsOf(name);
    // A load asked for from now on must not join a cancelled one.
    if (entry !== undefined) entry.joinable = undefined;
    for (const { abort } of loads) {
      abort.abort(new NereidError("CANCELLED", `the load of model '${name}' was cancelled; what was served goes on`));
    }
    return loads.length;
  }

  /** How far the loads of a model are. */
  loadsOf(name: string): readonly LoadInProgress[] {
    return this.#loadsOf(name).flatMap(({ rows }) => rows);
  }

  #loadsOf(name: string): readonly LoadProgress[] {
    return [...(this.#entries.get(name)?.loads ?? []), ...this.#announced.of(name)];
  }

  /** How requests that name no version are divided; undefined = they go to the highest READY one. */
  trafficOf(name: string): TrafficSplit | undefined {
    return this.#traffic.of(name);
  }

  setTraffic(name: string, split: TrafficSplit | undefined): void {
    this.#traffic.set(name, split);
    this.#options.onEvent?.({ kind: "traffic-changed", model: name });
  }

  #candidatesOf(name: string): readonly ModelEntry[] {
    return [...this.#entries.values()].filter(({ candidateOf }) => candidateOf === name);
  }

  /** The share of such requests that each version gets now; undefined where traffic is not divided. */
  sharesOf(name: string): ReadonlyMap<string, number> | undefined {
    const entry = this.#entries.get(name);
    return entry && this.#traffic.shares(entry);
  }

  /**
   * Unloads a model. Returns once no new request can reach it; accepted requests still finish. Unknown models are a success.
   * `dependents`: also the models that were loaded only because this ensemble needs them, and that no other does.
   */
  async unload(name: string, dependents = false): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    // A load asked for after this unload must not join one from before it.
    entry.joinable = undefined;
    await this.#inTurn(entry, async () => {
      await this.#leave(entry);
      entry.missing = entry.versions.size === 0;
      this.#options.log("model unloaded", { model: name });
    });
    this.#options.onEvent?.({ kind: "unloaded", model: name });
    await this.#afterUnload(entry, dependents);
  }

  /** Takes all versions away; what they have accepted they finish. */
  async #leave(entry: ModelEntry): Promise<void> {
    for (const version of entry.versions.values()) this.#switch.retire(entry, version);
    entry.wantedBy = "nobody";
    entry.fingerprint = undefined;
    entry.pinned = undefined;
    entry.identifiers = undefined;
    entry.waitsForModels = false;
    await replaceOverride(entry, undefined);
  }

  async #afterUnload(entry: ModelEntry, dependents: boolean): Promise<void> {
    this.#revalidateDependents(entry.name);
    if (!dependents) return;
    for (const model of stepsOf(entry)) if (this.#isLeftOver(model)) await this.unload(model, true);
  }

  /** Whether a model was loaded because an ensemble needed it, and none does any more. */
  #isLeftOver(model: string): boolean {
    return this.#entries.get(model)?.wantedBy === "ensemble" && usersOf(this, model).length === 0;
  }

  /** Models that nobody but requests brought up, through an ensemble, go with their use from now on: requests may use them by themselves. */
  #leaveToRequests(models: readonly string[]): readonly string[] {
    const left = models.filter((model) => this.#isLeftOver(model));
    for (const model of left) this.#entryFor(model).wantedBy = "request";
    return left;
  }

  /** Loads the model unless some version of it is served; for an ensemble that needs it. */
  async ensureLoaded(name: string): Promise<void> {
    const entry = this.#entryFor(name);
    await this.#begin(entry, (progress) => {
      if (isServed(entry)) return Promise.resolve({ warnings: entry.warnings, changed: false });
      if (entry.wantedBy === "nobody") entry.wantedBy = "ensemble";
      const versions = this.#options.pinOf?.(name);
      return this.#loader.load(entry, versions === undefined ? {} : { versions }, progress);
    });
  }

  /** The configuration text of a model on disk. */
  async configText(name: string): Promise<string | undefined> {
    const location = await this.#options.repository.find(name);
    if (location?.kind !== "unique") return undefined;
    return (await this.#options.repository.read(location)).configText;
  }

  /** The request header that keeps a client with one version of this model, in lower case; undefined where none does. */
  stickyHeaderOf(name: string): string | undefined {
    return this.#traffic.of(name)?.stickyHeader;
  }

  /** Unloads a model and forgets it when it has answered what it had accepted. Returns once its processes have ended. */
  async discard(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    const { candidateOf } = entry;
    const split = candidateOf === undefined ? undefined : this.#traffic.of(candidateOf);
    if (candidateOf !== undefined && split !== undefined)
      this.#traffic.set(
        candidateOf,
        splitWithout(split, (candidate) => candidate === name),
      );
    await this.unload(name);
    await this.#switch.endOf(entry);
    if (this.#entries.get(name) === entry && entry.loads.size === 0) this.forget(name);
  }

  /** Drops what is known of a model of which nothing is served; its files are gone. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined && ![...entry.versions.values()].some(({ served }) => served !== undefined))
      this.#entries.delete(name);
    this.#traffic.set(name, undefined);
    this.#use.forget(name);
  }

  /** Stops every model: refuses new requests, finishes accepted ones until the deadline, ends all runners. */
  async close(deadlineMs: number): Promise<void> {
    const stops: Promise<void>[] = [...this.#switch.stopping];
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
    const tail = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        // A mistyped name, or one unloaded of which there never was a version, must neither keep the server from being ready nor stay in memory.
        if (entry.missing && entry.tail === tail) this.#entries.delete(entry.name);
      });
    entry.tail = tail;
    return turn;
  }

  /** A load in its turn, known to those who ask how far it is, and to those who cancel it, from now on. */
  async #begin(entry: ModelEntry, load: (progress: LoadProgress) => Promise<LoadOutcome>): Promise<LoadOutcome> {
    const progress = this.#progressOf(entry.name);
    entry.loads.add(progress);
    try {
      return await this.#inTurn(entry, async () => {
        progress.signal.throwIfAborted();
        try {
          return await load(progress);
        } finally {
          const { needs } = entry;
          entry.needs = [];
          // What a request's load has brought up and does not serve has nobody else who would take it away.
          if (entry.wantedBy === "request" && !isServed(entry)) this.#leaveToRequests(needs);
        }
      });
    } finally {
      entry.loads.delete(progress);
      this.#memory?.changed();
    }
  }

  #progressOf(model: string): LoadProgress {
    return new LoadProgress(this.#options.loader.host.clock, (version, stage) =>
      this.#options.onEvent?.({ kind: "stage", model, version, stage }),
    );
  }

  /** A model came, went or changed: ensembles made of it are served while all their models fit, and only then. */
  #revalidateDependents(name: string): void {
    for (const entry of dependentsOf(this, name)) {
      if (entry.config === undefined) continue;
      const ready = [...entry.versions.values()].filter(({ state }) => state === "READY");
      try {
        checkComposing(this, entry.config);
        if (ready.length === 0 && entry.waitsForModels) void this.#loadAgain(entry);
      } catch (error) {
        if (ready.length === 0) continue;
        // One that only requests wanted comes back with the next request: it must keep no other model until then.
        entry.waitsForModels = entry.wantedBy !== "request";
        entry.fingerprint = undefined;
        for (const version of ready) this.#switch.retire(entry, version, reasonText(error));
        this.#options.log("ensemble unavailable", { model: entry.name, reason: NereidError.from(error).message });
        this.#revalidateDependents(entry.name);
        if (entry.wantedBy === "request") this.#leaveToRequests(stepsOf(entry));
      }
    }
  }

  async #loadAgain(entry: ModelEntry): Promise<void> {
    const { pinned } = entry;
    try {
      await this.#begin(entry, (progress) =>
        this.#loader.load(entry, pinned === undefined ? {} : { versions: pinned }, progress),
      );
    } catch {
      // It is in the log, and the index says why.
    }
  }
}

/** The models of an ensemble; none for other models. */
function stepsOf({ config }: ModelEntry): readonly string[] {
  return config === undefined ? [] : composingModels(config);
}

/**
 * Strict readiness: every model asked for has a version, and every version answers or was unloaded on purpose. What only requests
 * brought up, or try to, does not count: nobody's request may take the server out of service.
 */
export function allReady(entries: readonly ModelEntry[]): boolean {
  return entries.every((entry) => {
    // Nobody's trial may take the server out of service.
    if (entry.candidateOf !== undefined) return true;
    if (entry.identifiers !== undefined || isOnlyRequested(entry, entries)) return true;
    const versions = sortedVersions(entry);
    return (
      versions.length > 0 &&
      versions.every(
        (version) => (version.state === "READY" && version.served?.ready === true) || version.reason === "unloaded",
      )
    );
  });
}

function isOnlyRequested(entry: ModelEntry, entries: readonly ModelEntry[]): boolean {
  if (entry.wantedBy !== "ensemble") return entry.wantedBy === "request";
  return dependentsOf({ entries }, entry.name).every((user) => isOnlyRequested(user, entries));
}
