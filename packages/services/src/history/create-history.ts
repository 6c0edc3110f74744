import type { Database } from "@nereid/db";
import type { Clock } from "../clock.ts";
import type { MetricsHub } from "../metrics/metrics-hub.ts";
import type { HistoryReader } from "./history-reader.ts";
import { HistoryRecorder } from "./history-recorder.ts";
import { HistoryStore } from "./history-store.ts";
import { ownReader } from "./own-reader.ts";
import { tiersFor } from "./step-tiers.ts";

export interface HistoryOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told once for each outage of the database. */
  readonly onError?: (error: unknown) => void;
  readonly writeEveryMs?: number;
}

export interface History {
  readonly reader: HistoryReader;
  /** Records a node from now on; a second call for the same node does nothing. */
  start(nodeId: string, hub: Pick<MetricsHub, "follow">): void;
  /** Ends the recording of a node; what is stored stays until it is too old, unless `forget` is set. */
  stopNode(nodeId: string, options?: { readonly forget?: boolean }): Promise<void>;
  /** Ends all and writes what is not written. */
  stop(): Promise<void>;
}

const FORGET_EVERY_MS = 60_000;

/** The history of all nodes: one recorder for each, one reader, and whoever throws old chunks away. */
export function createHistory(options: HistoryOptions): History {
  const { db, clock, pause, onError } = options;
  const store = new HistoryStore(db);
  const recorders = new Map<string, HistoryRecorder>();
  const stopped = new AbortController();
  let forgetting: Promise<void> | undefined;

  async function forgetOld(): Promise<void> {
    while (!stopped.signal.aborted) {
      await pause(FORGET_EVERY_MS, stopped.signal).catch(() => undefined);
      if (!stopped.signal.aborted) await forgetBeyondRetention(store, clock).catch(() => undefined);
    }
  }
  return {
    reader: ownReader({ store, clock, recorders }),
    start: (nodeId, hub) => {
      if (recorders.has(nodeId) || stopped.signal.aborted) return;
      const { writeEveryMs } = options;
      const recorder = new HistoryRecorder({
        nodeId,
        hub,
        store,
        clock,
        pause,
        onError,
        // How long minutes are kept is not the recorder's business.
        tiers: tiersFor(1),
        ...(writeEveryMs !== undefined && { writeEveryMs }),
      });
      recorders.set(nodeId, recorder);
      recorder.start();
      forgetting ??= forgetOld();
    },
    stopNode: async (nodeId, { forget = false } = {}) => {
      const recorder = recorders.get(nodeId);
      recorders.delete(nodeId);
      await recorder?.stop();
      if (forget) await store.forgetNode(nodeId);
    },
    stop: async () => {
      stopped.abort();
      await Promise.all([...recorders.values()].map((recorder) => recorder.stop()));
      await forgetting;
    },
  };
}

/** Removes what is older than each tier is kept; the rest of a great backlog waits for the next time. */
export async function forgetBeyondRetention(store: HistoryStore, clock: Clock): Promise<void> {
  const now = Math.floor(clock.now() / 1000);
  for (const tier of tiersFor(await store.historyDays())) await store.forget(tier, now - tier.keepSeconds);
}
