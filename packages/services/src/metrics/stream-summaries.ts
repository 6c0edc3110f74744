import type { SecondBucket } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { NodeConnection } from "./connection.ts";
import { type ModelSummary, summariseModels } from "./model-summary.ts";
import type { StreamCall } from "./stream-latency.ts";
import { FIGURES_SECONDS } from "./window-figures.ts";

export interface SummariesEvent {
  /** Newest second that the summaries cover; null before the first bucket. */
  readonly t: number | null;
  readonly connection: NodeConnection;
  readonly models: readonly ModelSummary[];
}

const WINDOW = { seconds: FIGURES_SECONDS, trendSeconds: 40 };
const SUMMARIES = new WeakMap<SecondBucket, readonly ModelSummary[]>();

/** Live figures of all models over the last ten seconds: once at the start, then with every bucket. */
export async function* streamSummaries(
  call: Omit<StreamCall<undefined>, "input">,
): AsyncGenerator<SummariesEvent, void, undefined> {
  const { ctx, signal } = call;
  authorise(ctx.actor, "metrics.read");
  const { newest } = ctx.metrics;
  for await (const event of ctx.metrics.follow({ after: newest, signal })) {
    const t = event.kind === "bucket" ? event.bucket.t : ctx.metrics.newest || null;
    const buckets = t === null ? [] : ctx.metrics.recent(t - WINDOW.trendSeconds);
    yield { t, connection: ctx.metrics.connection, models: summariesOf(buckets) };
  }
}

/** One computation for all viewers; the key is the newest bucket. */
function summariesOf(buckets: readonly SecondBucket[]): readonly ModelSummary[] {
  const newest = buckets.at(-1);
  if (newest === undefined) return [];
  const models = SUMMARIES.get(newest) ?? summariseModels(buckets, WINDOW);
  SUMMARIES.set(newest, models);
  return models;
}
