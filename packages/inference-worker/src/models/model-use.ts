import type { Clock } from "../time/clock.ts";
import { dependentsOf } from "./ensemble-dependencies.ts";
import type { Holding } from "./memory-budget.ts";
import { isServed, type ModelEntry, sortedVersions } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";

export interface ModelUseHost {
  readonly entries: readonly ModelEntry[];
  entry(name: string): ModelEntry | undefined;
}

const NS_PER_MS = 1e6;

/** Which models requests use, which of those that only requests wanted may go, and what all of them hold of memory. */
export class ModelUse {
  readonly #host: ModelUseHost;
  readonly #clock: Clock;
  readonly #uses = new Map<string, { held: number; usedNs: number }>();

  constructor(host: ModelUseHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  /** Keeps a model from being evicted, and notes that it is used, until `release` is called. */
  hold(name: string): { release(): void } {
    const use = this.#uses.get(name) ?? { held: 0, usedNs: 0 };
    this.#uses.set(name, use);
    use.held += 1;
    use.usedNs = this.#clock.nowNs();
    let held = true;
    return {
      release: () => {
        if (!held) return;
        held = false;
        use.held -= 1;
        use.usedNs = this.#clock.nowNs();
        // Names that no model has must not stay in memory.
        if (use.held === 0 && this.#host.entry(name) === undefined) this.#uses.delete(name);
      },
    };
  }

  forget(name: string): void {
    this.#uses.delete(name);
  }

  /** Models loaded on demand that no request has used for so long. */
  idle(idleMs: number): readonly string[] {
    const since = this.#clock.nowNs() - idleMs * NS_PER_MS;
    return this.#host.entries
      .filter((entry) => this.isEvictable(entry) && this.#usedNs(entry) <= since)
      .map(({ name }) => name);
  }

  /** Loaded for requests only, and not used by any at this moment. */
  isEvictable(entry: ModelEntry): boolean {
    if (entry.wantedBy !== "request" || entry.loads.size > 0 || !isServed(entry)) return false;
    if ((this.#uses.get(entry.name)?.held ?? 0) > 0) return false;
    const busy = [...entry.versions.values()].some(({ served }) => (served?.statistics.pending ?? 0) > 0);
    return !busy && !dependentsOf(this.#host, entry.name).some(isWanted);
  }

  /** What every process of a model holds now. What could be evicted is marked so, but for the model that the room is for. */
  holdings(wanted: string): readonly Holding[] {
    return this.#host.entries.flatMap((entry) => {
      const evictable = entry.name === wanted ? undefined : this.#evictableWith(entry);
      const versions = sortedVersions(entry);
      const serving = new Set(versions.flatMap(({ state, served }) => (state === "READY" && served ? [served] : [])));
      const all = new Set([...versions.flatMap(({ served }) => served ?? []), ...entry.leaving]);
      return [...all].flatMap((served): Holding[] => {
        const bytes = residentBytes(served);
        if (bytes === undefined) return [];
        const name = `${entry.name} version ${served.spec.version}`;
        if (!serving.has(served)) return [{ name, bytes, kind: "leaving" }];
        return [{ name, bytes, kind: "served", ...(evictable !== undefined && { evictable }) }];
      });
    });
  }

  /** The model to evict for this one's memory: itself, or the ensemble that alone needs it. */
  #evictableWith(entry: ModelEntry): Holding["evictable"] {
    if (entry.wantedBy !== "ensemble")
      return this.isEvictable(entry) ? { model: entry.name, usedNs: this.#usedNs(entry) } : undefined;
    const users = dependentsOf(this.#host, entry.name).filter(isWanted);
    const [first] = users;
    if (first === undefined || !users.every((user) => this.isEvictable(user))) return undefined;
    return { model: first.name, usedNs: Math.max(...users.map((user) => this.#usedNs(user))) };
  }

  #usedNs({ name }: ModelEntry): number {
    return this.#uses.get(name)?.usedNs ?? 0;
  }
}

/** Served, or to be served again as soon as its models are there. */
export function isWanted(entry: ModelEntry): boolean {
  return entry.waitsForModels || isServed(entry);
}

function residentBytes(served: ServedVersion): number | undefined {
  return served.pid === undefined ? undefined : (served.measureMemory().currentBytes ?? 0);
}
