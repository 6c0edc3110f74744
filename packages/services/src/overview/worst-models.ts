import type { ModelStatus, SecondBucket } from "@nereid/client";
import { windowFigures } from "../metrics/window-figures.ts";

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

/** Models by how much they need somebody's eye: failed loads, then failing requests, then waiting ones, then slow ones. */
export function worstModels(
  buckets: readonly SecondBucket[],
  models: readonly Pick<ModelStatus, "name" | "lastLoadError">[],
  limit: number,
): WorstModel[] {
  const names = new Set([
    ...models.filter(({ lastLoadError }) => lastLoadError !== "").map(({ name }) => name),
    ...buckets.flatMap(({ series }) => series.map(({ model }) => model)),
  ]);
  const failed = new Set(models.filter(({ lastLoadError }) => lastLoadError !== "").map(({ name }) => name));
  return [...names]
    .map((model) => judge(buckets, model, failed.has(model)))
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

function judge(buckets: readonly SecondBucket[], model: string, loadFailed: boolean): Judged {
  const figures = windowFigures(buckets, { model });
  const errorShare = figures?.failureShare ?? null;
  const queueShare = figures?.queueShare ?? null;
  const p99Ms = figures?.p99 ?? null;
  const facts = { model, p99Ms, errorShare, queueShare, requestsPerSecond: figures?.requestsPerSecond ?? 0 };
  const judged = (rank: number, weight: number, why: string): Judged => ({ row: { ...facts, why }, rank, weight });
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
