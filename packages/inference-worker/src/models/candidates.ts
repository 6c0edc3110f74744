import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { NereidError } from "@nereid/errors";
import type { LocalRepository } from "@nereid/model-repository";
import type { Clock } from "../time/clock.ts";
import { type ConfigFields, candidateConfig } from "./candidate-config.ts";
import { isServed, type LoadOutcome, type ModelEntry, sortedVersions } from "./model-entry.ts";
import type { ModelManager } from "./model-manager.ts";
import type { PlanWarning } from "./model-plan.ts";
import { candidateDirectory, type ServedFiles, stageCandidate } from "./stage-candidate.ts";

/** What goes to a candidate through the model that it was made of. */
export type CandidateUse = "traffic" | "shadow";

export interface CandidateRequest {
  readonly name: string;
  /** The model that it is made of. */
  readonly of: string;
  /** Fields of the configuration that are not as in that model. */
  readonly config: ConfigFields;
  readonly ttlMs: number;
  readonly lowPriority: boolean;
}

/** A candidate that serves. */
export interface Candidate {
  readonly name: string;
  readonly of: string;
  readonly versions: readonly string[];
  readonly config: ConfigFields;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lowPriority: boolean;
  readonly inUse: CandidateUse | null;
}

export interface CandidatesOptions {
  readonly manager: ModelManager;
  readonly repository: LocalRepository;
  /** Private directory; used where the repository cannot be written to. */
  readonly directory: string;
  readonly clock: Clock;
  /** What goes to a candidate of this model now. */
  readonly useOf: (name: string, of: string) => CandidateUse | null;
}

/** A load answers a configuration that is none with 500, as Triton does; here it is the caller's mistake like any other. */
function asRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof NereidError) || thrown.code !== "INTERNAL") return thrown;
  const [, problem] = /Invalid config override: (.*)/s.exec(thrown.message) ?? [];
  if (problem === undefined) return thrown;
  return new NereidError("INVALID_ARGUMENT", `'config': ${problem}`, {
    fix: "give fields of a model configuration, in snake_case",
    cause: thrown,
  });
}

interface Row {
  readonly request: CandidateRequest;
  /** Of the configuration and files it serves; undefined until it does. */
  readonly made: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Each has a process of its own. */
const MOST_CANDIDATES = 8;
/** Whoever ends the traffic has time to remove it, or to keep it. */
const AFTER_USE_MS = 60_000;

/**
 * Models made of the files of served ones, with another configuration, for a time. They stand in no repository, change nothing of the
 * model they are made of, and are gone after a restart.
 */
export class Candidates {
  readonly #options: CandidatesOptions;
  readonly #rows = new Map<string, Row>();

  constructor(options: CandidatesOptions) {
    this.#options = options;
  }

  /**
   * Makes a candidate, or makes it anew with another configuration; for the same configuration it only lives on. Resolves when it
   * serves. NOT_FOUND when nothing of the model is served; CONFLICT for a name that is taken; TOO_MANY_REQUESTS when there are eight;
   * else as a load fails, and what the candidate served before goes on.
   */
  async add(
    request: CandidateRequest,
  ): Promise<{ readonly candidate: Candidate; readonly warnings: readonly PlanWarning[] }> {
    const { name, of } = request;
    const { manager, repository, clock } = this.#options;
    // Nothing waits between the check and the place that is taken.
    this.#check(request, (await repository.find(name)) !== undefined);
    const before = this.#row(name);
    const nowMs = clock.wallMs();
    const base = servedBase(manager, of);
    const config = candidateConfig(base.config, request.config, name);
    const made = JSON.stringify([config, base.versions, request.lowPriority]);
    const times = { createdAtMs: before?.createdAtMs ?? nowMs, expiresAtMs: nowMs + request.ttlMs };
    const entry = manager.entry(name);
    if (before?.made === made && entry !== undefined && isServed(entry)) {
      this.#rows.set(name, { request, made, ...times });
      return { candidate: this.#describe(name), warnings: entry.warnings };
    }
    // Its place is taken from here on: others that come meanwhile count it.
    this.#rows.set(name, before ?? { request, made: undefined, ...times });
    try {
      const { warnings } = await this.#load(request, base, config);
      // The time runs from when it can be used.
      this.#rows.set(name, { request, made, ...times, expiresAtMs: clock.wallMs() + request.ttlMs });
      return { candidate: this.#describe(name), warnings };
    } catch (error) {
      const left = manager.entry(name);
      if (left === undefined || !isServed(left)) await this.#drop(name);
      throw asRefusal(error);
    }
  }

  /** Those that are there, by name. */
  list(): readonly Candidate[] {
    return this.#names().map((name) => this.#describe(name));
  }

  /** Ends a candidate and removes its files. Resolves when its processes have ended. CONFLICT while it is in use. */
  async remove(name: string): Promise<void> {
    const row = this.#row(name);
    if (row === undefined) {
      throw new NereidError("NOT_FOUND", `there is no candidate '${name}'`, {
        fix: `candidates that are there: ${this.#names().join(", ") || "none"}`,
      });
    }
    const { of } = row.request;
    const use = this.#options.useOf(name, of);
    if (use !== null) {
      throw new NereidError("CONFLICT", `candidate '${name}' gets ${use} of model '${of}'`, {
        fix: use === "traffic" ? `divide the traffic of '${of}' without it first` : `end the shadow of '${of}' first`,
      });
    }
    await this.#drop(name);
  }

  /** Ends those whose time is over; call it every second or so. */
  sweep(): void {
    const nowMs = this.#options.clock.wallMs();
    for (const [name, row] of this.#rows) {
      if (this.#row(name) === undefined) {
        this.#rows.delete(name);
        continue;
      }
      const inUse = this.#options.useOf(name, row.request.of) !== null;
      const next = afterSweep(row, { inUse, nowMs });
      if (next === "expired") void this.#drop(name);
      else if (next !== row.expiresAtMs) this.#rows.set(name, { ...row, expiresAtMs: next });
    }
  }

  /** Removes the files of all; for the end of the server. */
  async close(): Promise<void> {
    const roots = [...this.#rows.keys()].flatMap((name) => {
      const entry = this.#options.manager.entry(name);
      return entry?.candidateOf === undefined ? [] : (entry.overrideRoot ?? []);
    });
    await Promise.all(roots.map((root) => rm(root, { recursive: true, force: true })));
  }

  async #load(request: CandidateRequest, base: Base, config: string): Promise<LoadOutcome> {
    const { name, of, lowPriority } = request;
    const { manager, repository, directory } = this.#options;
    const snapshot = await stageCandidate({
      name,
      of,
      directory: base.directory,
      versions: base.versions,
      parents: [
        ...repository.roots.filter((root) => base.directory.startsWith(`${root}/`)).map(candidateDirectory),
        directory,
      ],
    });
    const versions = base.versions.map(({ version }) => version);
    return manager.load(name, { config, versions, candidate: { of, snapshot, lowPriority } });
  }

  #check({ name, of }: CandidateRequest, inRepository: boolean): void {
    const entry = this.#options.manager.entry(name);
    if (inRepository || (entry !== undefined && entry.candidateOf === undefined))
      throw new NereidError("CONFLICT", `there is a model '${name}' already`, { fix: "choose another name" });
    const row = this.#row(name);
    if (row !== undefined && row.request.of !== of) {
      throw new NereidError("CONFLICT", `candidate '${name}' is made of model '${row.request.of}'`, {
        fix: "choose another name, or remove that candidate first",
      });
    }
    if (row !== undefined && row.made === undefined) {
      throw new NereidError("CONFLICT", `candidate '${name}' is being made just now`, {
        fix: "wait until it serves, or choose another name",
      });
    }
    const others = this.#names();
    if (row === undefined && others.length >= MOST_CANDIDATES) {
      throw new NereidError("TOO_MANY_REQUESTS", `there are ${MOST_CANDIDATES} candidates already`, {
        fix: `remove one of them first: ${others.join(", ")}`,
      });
    }
  }

  async #drop(name: string): Promise<void> {
    this.#rows.delete(name);
    if (this.#options.manager.entry(name)?.candidateOf !== undefined) await this.#options.manager.discard(name);
  }

  /** A model of that name that came into the repository took its place. */
  #row(name: string): Row | undefined {
    const row = this.#rows.get(name);
    if (row === undefined || row.made === undefined) return row;
    return this.#options.manager.entry(name)?.candidateOf === undefined ? undefined : row;
  }

  #names(): readonly string[] {
    return [...this.#rows.keys()].filter((name) => this.#row(name) !== undefined).sort();
  }

  #describe(name: string): Candidate {
    const row = this.#row(name);
    if (row === undefined) throw new NereidError("NOT_FOUND", `there is no candidate '${name}'`);
    const { of, config, lowPriority } = row.request;
    const entry = this.#options.manager.entry(name);
    const ready = entry === undefined ? [] : sortedVersions(entry).filter(({ state }) => state === "READY");
    return {
      name,
      of,
      versions: ready.map(({ version }) => version),
      config,
      createdAtMs: row.createdAtMs,
      expiresAtMs: row.expiresAtMs,
      lowPriority,
      inUse: this.#options.useOf(name, of),
    };
  }
}

/** When it ends now; one that is in use, or is still being made, has some time left always. */
export function afterSweep(
  row: Pick<Row, "made" | "expiresAtMs">,
  { inUse, nowMs }: { readonly inUse: boolean; readonly nowMs: number },
): number | "expired" {
  if (inUse || row.made === undefined) return Math.max(row.expiresAtMs, nowMs + AFTER_USE_MS);
  return row.expiresAtMs <= nowMs ? "expired" : row.expiresAtMs;
}

interface Base {
  readonly config: NonNullable<ModelEntry["config"]>;
  readonly directory: string;
  readonly versions: readonly ServedFiles[];
}

/** What a model serves now, and from which files. NOT_FOUND when that is nothing. */
function servedBase(manager: ModelManager, of: string): Base {
  const entry = manager.entry(of);
  const ready = entry === undefined ? [] : sortedVersions(entry).filter(({ state }) => state === "READY");
  const versions = ready.flatMap(({ version, files }) => (files === undefined ? [] : [{ version, ...files }]));
  const [first] = versions;
  if (entry?.config === undefined || first === undefined) {
    throw new NereidError("NOT_FOUND", `nothing of model '${of}' is served`, { fix: `load '${of}' first` });
  }
  if (entry.candidateOf !== undefined) {
    throw new NereidError("CONFLICT", `model '${of}' is a candidate itself`, {
      fix: `make the candidate of '${entry.candidateOf}'`,
    });
  }
  return { config: entry.config, directory: dirname(first.directory), versions };
}
