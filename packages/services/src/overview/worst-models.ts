import type { ModelStatus } from "@nereid/client";
import type { ModelTotals } from "../history/history-reader.ts";
import { NO_SUMS, type SeriesSums } from "../history/series-sums.ts";
import { quantileMs } from "../metrics/quantile-ms.ts";

export interface WorstModel {
  readonly model: string;
  /** Milliseconds; null without requests. */
  readonly p99Ms: number | null;
  /** Shares of 0…1; null without requests. */
  readonly errorShare: number | null;
  readonly queueShare: number | null;
  readonly requestsPerSecond: number;
  /** What puts it where it stands. */
  readonly why: string;
}

const NOTEWORTHY_ERRORS = 0.001;
const NOTEWORTHY_QUEUE = 0.3;

export interface WorstFacts {
  readonly totals: readonly ModelTotals[];
  /** Seconds of the window of which there are figures. */
  readonly seconds: number;
  readonly models: readonly Pick<ModelStatus, "name" | "lastLoadError">[];
}

/** Models by how much they need somebody's eye: failed loads, then failing requests, then waiting ones, then slow ones. */
export function worstModels({ totals, seconds, models }: WorstFacts, limit: number): WorstModel[] {
  const failed = new Set(models.filter(({ lastLoadError }) => lastLoadError !== "").map(({ name }) => name));
  const sums = new Map<string, SeriesSums>([...failed].map((model) => [model, NO_SUMS]));
  for (const one of totals) sums.set(one.model, one.sums);
  return [...sums]
    .map(([model, one]) => judge(facts(model, one, seconds), failed.has(model)))
    .sort((a, b) => b.rank - a.rank || b.weight - a.weight || a.row.model.localeCompare(b.row.model, "en"))
    .slice(0, limit)
    .map(({ row }) => row);
}

interface Judged {
  readonly row: WorstModel;
  /** What kind of trouble; higher is worse. */
  readonly rank: number;
  /** How much of it. */
  readonly weight: number;
}

function facts(model: string, sums: SeriesSums, seconds: number): Omit<WorstModel, "why"> {
  const all = sums.success + sums.failure;
  return {
    model,
    p99Ms: quantileMs(sums.latency, 0.99),
    errorShare: all === 0 ? null : sums.failure / all,
    queueShare: sums.sumNs.request === 0 ? null : Math.min(1, sums.sumNs.queue / sums.sumNs.request),
    requestsPerSecond: all / Math.max(1, seconds),
  };
}

function judge(known: Omit<WorstModel, "why">, loadFailed: boolean): Judged {
  const { errorShare, queueShare, p99Ms } = known;
  const judged = (rank: number, weight: number, why: string): Judged => ({ row: { ...known, why }, rank, weight });
  if (loadFailed) return judged(3, errorShare ?? 0, "its last load failed");
  if (errorShare !== null && errorShare >= NOTEWORTHY_ERRORS)
    return judged(2, errorShare, `${(errorShare * 100).toFixed(1)} % of its requests failed`);
  if (queueShare !== null && queueShare >= NOTEWORTHY_QUEUE)
    return judged(1, queueShare, `its requests wait ${Math.round(queueShare * 100)} % of their time in the queue`);
  return judged(
    0,
    p99Ms ?? 0,
    p99Ms === null ? "no requests ended" : `99 % of its requests take up to ${shortMs(p99Ms)}`,
  );
}

function shortMs(ms: number): string {
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toPrecision(2)} ms`;
}
