import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { LAST_SECOND } from "../instant.ts";
import { quantileMs } from "../metrics/quantile-ms.ts";
import { modelName, versionNumber } from "../models/model-name.ts";
import { requireKnown } from "../models/require-known.ts";
import { parseInput } from "../parse-input.ts";
import type { HistoryAnswer, HistorySeries } from "./history-reader.ts";
import { type HistoryRow, historyRowOf } from "./history-row.ts";
import { addSums, NO_SUMS, type SeriesSums } from "./series-sums.ts";
import { MOST_POINTS } from "./step-tiers.ts";

const LONGEST_SECONDS = 400 * 86_400;
/** More lines than this cannot be told apart. */
const MOST_SERIES = 8;

export const historyInput = z
  .object({
    /** All models together when it is absent. */
    model: modelName.optional(),
    version: versionNumber.optional(),
    /** Id of a node, or "all"; the one that the request asks for when it is absent. */
    node: z.string().min(1).max(100).optional(),
    /** So many seconds up to now; or else `from` and `to`, Unix seconds. */
    seconds: z.int().min(10).max(LONGEST_SECONDS).optional(),
    from: z.int().min(0).max(LAST_SECOND).optional(),
    to: z.int().min(1).max(LAST_SECOND).optional(),
    /** Moves the window into the past by so many seconds. */
    before: z.int().min(0).max(LONGEST_SECONDS).default(0),
    maxPoints: z.int().min(10).max(MOST_POINTS).default(MOST_POINTS),
    splitBy: z.enum(["version", "node"]).optional(),
    /** Latency that is promised: requests within it are counted as good. */
    sloMs: z.number().positive().max(1e9).optional(),
  })
  .refine(({ seconds, from, to }) => (seconds === undefined) === (from !== undefined && to !== undefined), {
    error: "give either seconds, or from and to",
  })
  .refine(({ from, to }) => from === undefined || to === undefined || (to > from && to - from <= LONGEST_SECONDS), {
    error: "must be later than from, by 400 days at most",
    path: ["to"],
  });

/** The whole window in figures. */
export interface HistoryTotals {
  readonly count: number;
  readonly failed: number;
  /** Milliseconds; null without requests. */
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly failures: SeriesSums["failures"];
  readonly batchSizes: SeriesSums["batchSizes"];
  readonly closed: SeriesSums["closed"];
}

export interface ModelHistory extends Pick<HistoryAnswer, "step" | "from" | "to" | "partialFrom" | "source"> {
  readonly series: readonly { readonly key: string; readonly rows: readonly HistoryRow[] }[];
  readonly totals: HistoryTotals;
  /** Series beyond the eighth that are left out, those with the fewest requests. */
  readonly droppedSeries: number;
}

/** What was measured of a model, in at most 300 steps: a step without requests has counts of 0, one that nobody watched is absent. NOT_FOUND for a model of which nothing was measured and that no node has. */
export async function getHistory({ ctx, input }: Call<z.input<typeof historyInput>>): Promise<ModelHistory> {
  authorise(ctx.actor, "metrics.read");
  const { node, seconds, before, sloMs, from = 0, to = 0, ...wanted } = parseInput(historyInput, input);
  const now = Math.floor(ctx.clock.now() / 1000);
  const end = (seconds === undefined ? to : now) - before;
  const start = seconds === undefined ? from - before : end - seconds;
  const answer = await ctx.history.range({ ...wanted, node: node ?? ctx.nodeId, from: Math.max(0, start), to: end });
  const { series: found, ...frame } = answer;
  if (wanted.model !== undefined && found.every((one) => requestsOf(one) === 0)) {
    await requireKnown(askedOf(ctx, node ?? ctx.nodeId), wanted.model);
  }
  const shown = found.toSorted((a, b) => requestsOf(b) - requestsOf(a)).slice(0, MOST_SERIES);
  return {
    ...frame,
    series: found
      .filter((one) => shown.includes(one))
      .map(({ key, points }) => ({ key, rows: points.map((point) => historyRowOf(point, sloMs)) })),
    totals: totalsOf(found),
    droppedSeries: found.length - shown.length,
  };
}

function askedOf(ctx: ServiceContext, node: string) {
  if (node === ctx.nodeId) return [{ client: ctx.node }];
  // Of a node that is no longer there, only the history knows.
  return ctx.nodes.filter(({ id }) => node === "all" || id === node);
}

function requestsOf({ points }: HistorySeries): number {
  return points.reduce((sum, { merged }) => sum + merged.success + merged.failure, 0);
}

function totalsOf(series: readonly HistorySeries[]): HistoryTotals {
  const sums = series.flatMap(({ points }) => points.map(({ merged }) => merged)).reduce(addSums, NO_SUMS);
  return {
    count: sums.success,
    failed: sums.failure,
    mean: sums.success === 0 ? null : sums.sumNs.request / sums.success / 1e6,
    p50: quantileMs(sums.latency, 0.5),
    p95: quantileMs(sums.latency, 0.95),
    p99: quantileMs(sums.latency, 0.99),
    failures: sums.failures,
    batchSizes: sums.batchSizes,
    closed: sums.closed,
  };
}
