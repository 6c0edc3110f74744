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
    return !this.#isBusy(entry) && usersOf(this.#host, entry.name).length === 0;
  }

  #isBusy(entry: ModelEntry): boolean {
    if ((this.#uses.get(entry.name)?.held ?? 0) > 0) return true;
    return [...entry.versions.values()].some(({ served }) => (served?.statistics.pending ?? 0) > 0);
  }

  /** What every process of a model holds now. What could be evicted is marked so, but for the model that the room is for. */
  holdings(wanted: string): readonly Holding[] {
    return this.#host.entries.flatMap((entry) => {
      const way = entry.name === wanted ? {} : this.#wayOut(entry);
      const versions = sortedVersions(entry);
      const serving = new Set(versions.flatMap(({ state, served }) => (state === "READY" && served ? [served] : [])));
      const all = new Set([...versions.flatMap(({ served }) => served ?? []), ...entry.leaving]);
      return [...all].flatMap((served): Holding[] => {
        const bytes = residentBytes(served);
        if (bytes === undefined) return [];
        const name = `${entry.name} version ${served.spec.version}`;
        if (!serving.has(served)) return [{ name, bytes, kind: "leaving" }];
        return [{ name, bytes, kind: "served", ...way }];
      });
    });
  }

  /** How this one's memory can be had: by evicting it, or the ensembles that alone need it; now, or when their requests are over. */
  #wayOut(entry: ModelEntry): Pick<Holding, "evictable" | "busy"> {
    if (entry.wantedBy !== "ensemble" && entry.wantedBy !== "request") return {};
    const roots = this.#rootsOf(entry);
    const [first] = roots;
    if (first === undefined || !roots.every((root) => root.wantedBy === "request" && isServed(root))) return {};
    if (this.#isBusy(entry) || !roots.every((root) => this.isEvictable(root))) return { busy: true };
    return { evictable: { model: first.name, usedNs: Math.max(...roots.map((root) => this.#usedNs(root))) } };
  }

  /** The ensembles that need a model and that no other needs; the model itself where none does. */
  #rootsOf(entry: ModelEntry): readonly ModelEntry[] {
    const users = usersOf(this.#host, entry.name);
    return users.length === 0 ? [entry] : [...new Set(users.flatMap((user) => this.#rootsOf(user)))];
  }

  #usedNs({ name }: ModelEntry): number {
    return this.#uses.get(name)?.usedNs ?? 0;
  }
}

/** Ensembles that need a model now: served, to be served again as soon as their models are there, or just being loaded. */
export function usersOf(host: Pick<ModelUseHost, "entries">, model: string): readonly ModelEntry[] {
  const wanted = dependentsOf(host, model).filter((entry) => entry.waitsForModels || isServed(entry));
  return [...new Set([...wanted, ...host.entries.filter(({ needs }) => needs.includes(model))])];
}

/** What a process has, or, while it is down, what its restart will take; undefined where there is none. */
function residentBytes(served: ServedVersion): number | undefined {
  if (served.pid !== undefined) return served.measureMemory().currentBytes ?? 0;
  return served.ledger.afterUnloadBytes === undefined ? served.ledger.loadedBytes : undefined;
}
