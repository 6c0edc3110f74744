import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TrafficSplit } from "@nereid/inference-worker";
import { plainVersion } from "@nereid/model-config";

/** What people asked for over the API, remembered over restarts. Anything not named follows the command line. */
export interface DesiredModels {
  readonly loaded: readonly string[];
  readonly unloaded: readonly string[];
  /** Versions chosen by hand, by model; they count until the version policy is followed again. */
  readonly pins: Readonly<Record<string, readonly string[]>>;
  /** How requests that name no version are divided, by model. */
  readonly traffic: Readonly<Record<string, DesiredTraffic>>;
}

/** A model's traffic as the journal and the management API have it. */
export interface DesiredTraffic {
  readonly weights: Readonly<Record<string, number>>;
  readonly stickyHeader?: string;
}

const EMPTY: DesiredModels = { loaded: [], unloaded: [], pins: {}, traffic: {} };

/** Which models to load at start: the command line's, plus those loaded since, without those unloaded since. Pure. */
export function modelsToLoad(startup: readonly string[], desired: DesiredModels): readonly string[] {
  const wanted = new Set([...startup, ...desired.loaded]);
  for (const name of desired.unloaded) wanted.delete(name);
  return [...wanted].sort();
}

/** The journal of desired state in the state directory, replaced in one step at every change. */
export class DesiredState {
  readonly #file: string | undefined;
  readonly #warn: (text: string) => void;
  #models: DesiredModels;
  #writing: Promise<unknown> = Promise.resolve();

  /** `warn` hears of a journal that cannot be read; the server then starts as the command line says. */
  constructor(stateDirectory: string | undefined, warn: (text: string) => void = () => {}) {
    this.#warn = warn;
    if (stateDirectory === undefined) {
      this.#file = undefined;
      this.#models = EMPTY;
      return;
    }
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    this.#file = join(stateDirectory, "desired-models.json");
    this.#models = readJournal(this.#file, warn);
  }

  get models(): DesiredModels {
    return this.#models;
  }

  /** Resolves with a sentence when the journal could not be written. */
  loaded(name: string): Promise<string | undefined> {
    return this.#change({
      loaded: [...without(this.#models.loaded, name), name],
      unloaded: without(this.#models.unloaded, name),
    });
  }

  /** Loaded with these versions; null = those of the version policy. Resolves as `loaded`. */
  pinned(name: string, versions: readonly string[] | null): Promise<string | undefined> {
    const { [name]: _before, ...others } = this.#models.pins;
    return this.#change({
      loaded: [...without(this.#models.loaded, name), name],
      unloaded: without(this.#models.unloaded, name),
      pins: versions === null ? others : { ...others, [name]: versions },
    });
  }

  /** The versions chosen by hand; undefined when the version policy decides. */
  pinOf(name: string): readonly string[] | undefined {
    return Object.hasOwn(this.#models.pins, name) ? this.#models.pins[name] : undefined;
  }

  /** How traffic was divided when the server last ran, and since. */
  get traffic(): ReadonlyMap<string, TrafficSplit> {
    return new Map(Object.entries(this.#models.traffic).map(([name, split]) => [name, splitOf(split)]));
  }

  /** Traffic divided like this; null = undivided. Resolves as `loaded`. */
  divided(name: string, traffic: DesiredTraffic | null): Promise<string | undefined> {
    const { [name]: _before, ...others } = this.#models.traffic;
    return this.#change({ traffic: traffic === null ? others : { ...others, [name]: traffic } });
  }

  /** The model is gone: nothing about it is remembered. */
  forgotten(name: string): Promise<string | undefined> {
    const { [name]: _before, ...pins } = this.#models.pins;
    const { [name]: _divided, ...traffic } = this.#models.traffic;
    return this.#change({
      traffic,
      loaded: without(this.#models.loaded, name),
      unloaded: without(this.#models.unloaded, name),
      pins,
    });
  }

  /** Resolves with a sentence when the journal could not be written. */
  unloaded(name: string): Promise<string | undefined> {
    return this.#change({
      loaded: without(this.#models.loaded, name),
      unloaded: [...without(this.#models.unloaded, name), name],
    });
  }

  #change(change: Partial<DesiredModels>): Promise<string | undefined> {
    const models = { ...this.#models, ...change };
    this.#models = models;
    const file = this.#file;
    if (file === undefined) return Promise.resolve(undefined);
    const text = `${JSON.stringify({ version: 1, ...models }, null, 2)}\n`;
    const written = this.#writing.then(() => this.#write(file, text));
    this.#writing = written;
    return written;
  }

  async #write(file: string, text: string): Promise<string | undefined> {
    try {
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
      return undefined;
    } catch (error) {
      const problem = `this change is in effect but could not be remembered for the next start in ${file}: ${error instanceof Error ? error.message : String(error)}`;
      this.#warn(problem);
      return problem;
    }
  }
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((candidate) => candidate !== name);
}

function readJournal(file: string, warn: (text: string) => void): DesiredModels {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return EMPTY;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    renameSync(file, `${file}.damaged`);
    warn(`${file} is damaged and was set aside as ${file}.damaged; models are loaded as the command line says`);
    return EMPTY;
  }
  const names = (key: string): string[] => {
    const value =
      parsed !== null && typeof parsed === "object" && key in parsed ? (parsed as Record<string, unknown>)[key] : [];
    return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
  };
  return { loaded: names("loaded"), unloaded: names("unloaded"), pins: pinsOf(parsed), traffic: trafficOf(parsed) };
}

/** What the manager divides by. */
export function splitOf({ weights, stickyHeader }: DesiredTraffic): TrafficSplit {
  return { weights: new Map(Object.entries(weights)), ...(stickyHeader !== undefined && { stickyHeader }) };
}

function trafficOf(parsed: unknown): DesiredModels["traffic"] {
  const traffic = parsed !== null && typeof parsed === "object" && "traffic" in parsed ? parsed.traffic : undefined;
  if (traffic === null || typeof traffic !== "object") return {};
  return Object.fromEntries(Object.entries(traffic).filter(([, split]) => isTraffic(split)));
}

function isTraffic(value: unknown): value is DesiredTraffic {
  if (value === null || typeof value !== "object" || !("weights" in value)) return false;
  const { weights } = value;
  if (weights === null || typeof weights !== "object") return false;
  const entries = Object.entries(weights);
  const sticky = "stickyHeader" in value ? value.stickyHeader : "";
  return (
    typeof sticky === "string" &&
    entries.every(([version, weight]) => isVersion(version) && Number.isInteger(weight) && weight >= 0) &&
    entries.some(([, weight]) => weight > 0)
  );
}

function pinsOf(parsed: unknown): DesiredModels["pins"] {
  const pins = parsed !== null && typeof parsed === "object" && "pins" in parsed ? parsed.pins : undefined;
  if (pins === null || typeof pins !== "object") return {};
  return Object.fromEntries(
    Object.entries(pins).flatMap(([name, versions]) => {
      const valid = Array.isArray(versions) && versions.length > 0 && versions.every(isVersion);
      return valid ? [[name, versions as readonly string[]]] : [];
    }),
  );
}

function isVersion(value: unknown): boolean {
  return typeof value === "string" && plainVersion(value) !== undefined;
}
