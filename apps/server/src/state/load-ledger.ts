import type { ServedVersion } from "@nereid/inference-worker";

/** One load of a version since the server started, and what its process held. Bytes; absent where that moment has not come. */
export interface LoadRow {
  readonly version: string;
  /** When it was loaded, Unix milliseconds. */
  readonly atMs: number;
  /** How long the load took. */
  readonly seconds?: number;
  readonly beforeBytes?: number;
  readonly loadedBytes?: number;
  readonly peakBytes?: number;
  readonly currentBytes?: number;
  /** Once its process has ended. */
  readonly afterUnloadBytes?: number;
}

interface Row {
  readonly model: string;
  readonly version: string;
  readonly atMs: number;
  readonly seconds: number | undefined;
  /** Goes on being written by the version itself, to its end. */
  readonly ledger: ServedVersion["ledger"];
}

const REMEMBERED = 500;
const A_MODEL = 50;

/** Remembers the memory of loads over their lives, the newest 50 of each model. */
export class LoadLedger {
  #rows: readonly Row[] = [];

  /** Versions that serve after a load; those that are known already are left as they are. */
  loaded(model: string, served: readonly ServedVersion[], atMs: number): void {
    const known = new Set(this.#rows.map(({ ledger }) => ledger));
    const fresh = served
      .filter(({ ledger }) => !known.has(ledger))
      .map(({ spec, ledger, statistics }) => ({
        model,
        version: spec.version,
        atMs,
        seconds: statistics.loadSeconds,
        ledger,
      }));
    this.#rows = [...this.#rows, ...fresh].slice(-REMEMBERED);
  }

  /** The newest first. */
  of(model: string): readonly LoadRow[] {
    return this.#rows
      .filter((row) => row.model === model)
      .slice(-A_MODEL)
      .reverse()
      .map(({ version, atMs, seconds, ledger }) => {
        const { currentBytes, ...bytes } = ledger;
        const ended = ledger.afterUnloadBytes !== undefined;
        return {
          version,
          atMs,
          ...(seconds !== undefined && { seconds }),
          ...bytes,
          ...(!ended && currentBytes !== undefined && { currentBytes }),
        };
      });
  }
}
