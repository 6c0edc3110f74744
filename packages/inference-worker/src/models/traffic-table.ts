import { type ModelEntry, sortedVersions } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";
import {
  type Credits,
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
    const eligible = eligibleWeights(row.split, (version) => servingVersion(entry, version) !== undefined);
    if (sticky !== undefined && row.split.stickyHeader !== undefined) {
      const version = versionOfKey(eligible, sticky);
      return version === undefined ? undefined : servingVersion(entry, version);
    }
    const version = told !== undefined && eligible.has(told) ? told : versionInTurn(eligible, row.credits);
    if (version === undefined) return undefined;
    if (take) countTurn(eligible, row.credits, version);
    return servingVersion(entry, version);
  }

  /** The share each version gets at this moment, by version; undefined when the traffic is not divided. */
  shares(entry: ModelEntry): ReadonlyMap<string, number> | undefined {
    const row = this.#rows.get(entry.name);
    if (row === undefined) return undefined;
    const eligible = eligibleWeights(row.split, (version) => servingVersion(entry, version) !== undefined);
    if (eligible.size > 0) return sharesOf(eligible);
    const highest = sortedVersions(entry).findLast(({ state }) => state === "READY");
    return new Map(highest === undefined ? [] : [[highest.version, 1]]);
  }
}

function servingVersion(entry: ModelEntry, version: string): ServedVersion | undefined {
  const found = entry.versions.get(version);
  return found?.state === "READY" && found.served?.ready === true ? found.served : undefined;
}
