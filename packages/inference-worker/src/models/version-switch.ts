import type { LoadedVersion } from "./load-versions.ts";
import { type ModelEntry, type VersionEntry, withVersion } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";

export interface VersionSwitchOptions {
  /** How long what is replaced waits for accepted requests before it ends. */
  readonly drainMs: number;
  readonly log: (event: string, context: Readonly<Record<string, unknown>>) => void;
  /** Told when what was served has ended. */
  readonly onEnded: () => void;
}

/** Puts versions in place of others and ends those, in one step as requests see it. */
export class VersionSwitch {
  readonly #options: VersionSwitchOptions;
  readonly #stopping = new Map<Promise<void>, ModelEntry>();
  readonly #series = new Map<ServedVersion, () => void>();

  constructor(options: VersionSwitchOptions) {
    this.#options = options;
  }

  /** What is ending now. */
  get stopping(): readonly Promise<void>[] {
    return [...this.#stopping.keys()];
  }

  /** Resolves when what is ending now of this model has ended. */
  async endOf(entry: ModelEntry): Promise<void> {
    const own = [...this.#stopping].filter(([, owner]) => owner === entry);
    await Promise.allSettled(own.map(([stopped]) => stopped));
  }

  /** Puts the new versions in place in one step, then lets the old ones finish and end. */
  swap(entry: ModelEntry, kept: ReadonlyMap<string, VersionEntry>, loaded: readonly LoadedVersion[]): void {
    const before = entry.versions;
    const after = new Map<string, VersionEntry>(kept);
    for (const { plan, served, config, closeSeries } of loaded) {
      const { version, key, directory, fingerprint } = plan;
      const files = { directory, fingerprint };
      after.set(version, { version, state: "READY", reason: "", served, config, key, files });
      this.#series.set(served, closeSeries);
    }
    const gone = [...before.values()].filter((version) => after.get(version.version)?.served !== version.served);
    for (const version of gone) {
      if (!after.has(version.version)) after.set(version.version, version);
    }
    entry.versions = after;
    for (const version of gone) {
      if (after.get(version.version) === version) this.retire(entry, version);
      else if (version.served !== undefined) void this.#stop(entry, version.served);
    }
  }

  /** Takes a version away from new requests at once; it ends when it has answered what it accepted. */
  retire(entry: ModelEntry, version: VersionEntry, reason = "unloaded"): void {
    const { served } = version;
    if (served === undefined) {
      if (version.state !== "UNAVAILABLE" || version.reason !== reason)
        entry.versions = withVersion(entry, { version: version.version, state: "UNAVAILABLE", reason });
      return;
    }
    if (version.state === "UNLOADING") {
      // Unloaded again: what a load in between came to no longer counts.
      if (version.next !== undefined)
        entry.versions = withVersion(entry, { ...version, next: { state: "UNAVAILABLE", reason } });
      return;
    }
    const unloading: VersionEntry = { version: version.version, state: "UNLOADING", reason: "", served };
    entry.versions = withVersion(entry, unloading);
    void this.#stop(entry, served).then(() => {
      const current = entry.versions.get(version.version);
      if (current?.state !== "UNLOADING" || current.served !== served) return;
      const told = current.next ?? { state: "UNAVAILABLE", reason };
      entry.versions = withVersion(entry, { version: version.version, ...told });
    });
  }

  #stop(entry: ModelEntry, served: ServedVersion): Promise<void> {
    // The last one stays known: it tells the sequences that were cut off so.
    entry.leaving = [served, ...entry.leaving.filter(({ pid }) => pid !== undefined)];
    const stopped = served.stop(this.#options.drainMs).finally(() => {
      if (served.spec.scheduling.kind !== "sequence") entry.leaving = entry.leaving.filter((one) => one !== served);
      this.#series.get(served)?.();
      this.#series.delete(served);
      this.#stopping.delete(stopped);
      this.#options.log("runner ended", {
        model: served.spec.name,
        version: served.spec.version,
        memory: served.ledger,
      });
      this.#options.onEnded();
    });
    this.#stopping.set(stopped, entry);
    return stopped;
  }
}
