import type { HistoryReader } from "../history/history-reader.ts";
import type { SloInput } from "./slo-input.ts";
import { type SloReader, type SloStanding, sloStanding } from "./slo-status.ts";

/** As long as a standing is shown to everybody who asks: days of history are read for each. */
const FRESH_MS = 10_000;
const MOST = 1_000;

interface Kept {
  readonly atMs: number;
  readonly standing: Promise<SloStanding>;
}

const KNOWN = new WeakMap<HistoryReader, Map<string, Kept>>();

/** As sloStanding, worked out at most once in ten seconds however many browsers look. */
export function recentStanding(reader: SloReader, slo: SloInput): Promise<SloStanding> {
  const { model, latencyMs, objective, windowDays } = slo;
  const key = JSON.stringify([model, latencyMs, objective, windowDays]);
  const known = KNOWN.get(reader.history) ?? new Map<string, Kept>();
  KNOWN.set(reader.history, known);
  const atMs = reader.clock.now();
  const old = known.get(key);
  if (old !== undefined && atMs - old.atMs < FRESH_MS) return old.standing;
  const standing = sloStanding(reader, slo);
  if (known.size >= MOST) known.clear();
  known.set(key, { atMs, standing });
  standing.catch(() => known.delete(key));
  return standing;
}
