import { isServed, type ModelEntry, sortedVersions } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";
import {
  type Credits,
  candidateIn,
  countTurn,
  eligibleWeights,
  sharesOf,
  type TrafficSplit,
  versionInTurn,
  versionOfKey,
} from "./traffic-split.ts";

interface Row {
  readonly split: TrafficSplit;
  readonly credits: Credits;
}

/** How a request is told its version where traffic is divided. */
export interface TrafficTurn {
  /** Count the request: it goes there. Else it is only told where it would go. */
  readonly take: boolean;
  /** Value of the sticky header. */
  readonly sticky: string | undefined;
  /** What it was told before; kept when that still serves. */
  readonly told: string | undefined;
}

/** The divided traffic of all models, by name; it outlives loads and unloads. */
export class TrafficTable {
  readonly #rows = new Map<string, Row>();
  readonly #entryOf: (name: string) => ModelEntry | undefined;

  /** `entryOf` finds the candidates that get a part. */
  constructor(entryOf: (name: string) => ModelEntry | undefined) {
    this.#entryOf = entryOf;
  }

  of(model: string): TrafficSplit | undefined {
    return this.#rows.get(model)?.split;
  }

  /** Undefined = the highest READY version again. */
  set(model: string, split: TrafficSplit | undefined): void {
    if (split === undefined) this.#rows.delete(model);
    else this.#rows.set(model, { split, credits: new Map() });
  }

  /** The version a request goes to; undefined when the traffic is not divided, or none of the versions that get some serves. */
  choose(entry: ModelEntry, { take, sticky, told }: TrafficTurn): ServedVersion | undefined {
    const row = this.#rows.get(entry.name);
    if (row === undefined) return undefined;
    const eligible = eligibleWeights(row.split, (key) => this.#serving(entry, key) !== undefined);
    if (sticky !== undefined && row.split.stickyHeader !== undefined) {
      const key = versionOfKey(eligible, sticky);
      return key === undefined ? undefined : this.#serving(entry, key);
    }
    const key = told !== undefined && eligible.has(told) ? told : versionInTurn(eligible, row.credits);
    if (key === undefined) return undefined;
    if (take) countTurn(eligible, row.credits, key);
    return this.#serving(entry, key);
  }

  /** The share each version gets at this moment, by version; undefined when the traffic is not divided. */
  shares(entry: ModelEntry): ReadonlyMap<string, number> | undefined {
    const row = this.#rows.get(entry.name);
    if (row === undefined) return undefined;
    const eligible = eligibleWeights(row.split, (key) => this.#serving(entry, key) !== undefined);
    if (eligible.size > 0) return sharesOf(eligible);
    const highest = sortedVersions(entry).findLast(({ state }) => state === "READY");
    return new Map(highest === undefined ? [] : [[highest.version, 1]]);
  }

  /** A candidate answers beside its model, never instead of one that was unloaded. */
  #serving(entry: ModelEntry, key: string): ServedVersion | undefined {
    const part = candidateIn(key);
    if (part === undefined) return servingVersion(entry, key);
    const candidate = this.#entryOf(part.candidate);
    if (candidate === undefined || candidate.candidateOf !== entry.name || !isServed(entry)) return undefined;
    return servingVersion(candidate, part.version);
  }
}

function servingVersion(entry: ModelEntry, version: string): ServedVersion | undefined {
  const found = entry.versions.get(version);
  return found?.state === "READY" && found.served?.ready === true ? found.served : undefined;
}
