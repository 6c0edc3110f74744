import { LATENCY_SERIES, type LatencyPoint, type SeriesKey } from "./latency-series.ts";
import { logScale, niceScale, type Scale, timeTicks } from "./nice-scale.ts";

export interface PrepareLatencyInput {
  /** Ascending by t; a second may be missing. */
  readonly rows: readonly LatencyPoint[];
  readonly rangeSeconds: number;
  /** Seconds of one row; 1 when it is absent. */
  readonly step?: number;
  /** First second after the range; that after the last row when it is absent. */
  readonly to?: number;
  /** Logarithmic vertical scale. Means cannot be stacked on it, so only percentiles are drawn. */
  readonly log?: boolean;
  readonly hidden: ReadonlySet<SeriesKey>;
  /** What the vertical scale has to hold: everything, or the stacked means with percentiles cut off above. */
  readonly fit?: "all" | "means";
}

/** A point of the chart; `missing` marks a second for which there is no data at all. */
export type ChartPoint = LatencyPoint & { readonly missing: boolean };

/** One mean of one lonely second, from where to where it lies in the stack. */
export interface Column {
  readonly key: SeriesKey;
  readonly t: number;
  readonly bottom: number;
  readonly top: number;
}

export interface PreparedLatency {
  readonly points: readonly ChartPoint[];
  readonly from: number;
  readonly to: number;
  readonly timeTicks: readonly number[];
  /** Series that are not drawn. */
  readonly hidden: ReadonlySet<SeriesKey>;
  readonly scale: Scale;
  /** Whether something reaches above the scale. */
  readonly clipped: boolean;
  /** Stretches without data, first and last missing second. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Pieces of columns for busy seconds between empty ones, where a stacked area would have no width. */
  readonly columns: readonly Column[];
  /** `key:t` of line points whose neighbours are empty: without a dot they would be invisible. */
  readonly isolated: ReadonlySet<string>;
}

/** Room above the means when the scale is theirs. */
const MEANS_HEADROOM = 1.25;

const LINES: readonly SeriesKey[] = ["p50", "p95", "p99"];
const MEANS: readonly SeriesKey[] = ["queue", "input", "infer", "output"];

/** Decides everything the latency chart draws; null before the first row. */
export function prepareLatency({
  rows,
  rangeSeconds,
  hidden: chosen,
  fit = "all",
  step = 1,
  to: end,
  log = false,
}: PrepareLatencyInput): PreparedLatency | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const to = end === undefined ? last.t : end - step;
  const from = to - rangeSeconds + step;
  const hidden = log ? new Set([...chosen, ...MEANS]) : chosen;
  const points = fillSteps(
    rows.filter((row) => row.t >= from),
    { to: last.t, step },
  );
  const lonely = findLonely(points);
  const { means, lines, smallest } = largestShown(points, hidden);
  const largest = fit === "means" && means > 0 && !log ? means * MEANS_HEADROOM : Math.max(means, lines);
  const scale = log ? logScale(smallest, largest) : niceScale(largest);
  return {
    points,
    from,
    to,
    timeTicks: timeTicks(from, to, 5),
    hidden,
    scale,
    clipped: lines > scale.max,
    gaps: findGaps(points, step),
    columns: lonely.flatMap((point) => stackColumn(point, hidden)),
    isolated: new Set(lonely.flatMap(({ t }) => LINES.filter((key) => !hidden.has(key)).map((key) => `${key}:${t}`))),
  };
}

/** One point a step from the first row on, so that a missing one breaks the lines instead of being bridged. */
function fillSteps(rows: readonly LatencyPoint[], { to, step }: { to: number; step: number }): ChartPoint[] {
  const byTime = new Map(rows.map((row) => [row.t, row]));
  const first = rows[0]?.t ?? to;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => {
    const t = first + i * step;
    const row = byTime.get(t);
    return row === undefined ? missingAt(t) : { ...row, missing: false };
  });
}

function missingAt(t: number): ChartPoint {
  const durations = { queue: null, input: null, infer: null, output: null, p50: null, p95: null, p99: null };
  return { t, ...durations, count: 0, failed: 0, pending: 0, missing: true };
}

/** Largest stack of means, and largest and smallest percentile, among the series that are shown. */
function largestShown(
  points: readonly ChartPoint[],
  hidden: ReadonlySet<SeriesKey>,
): { means: number; lines: number; smallest: number } {
  const shown = LATENCY_SERIES.filter((series) => !hidden.has(series.key));
  const stacked = shown.filter((series) => series.kind === "mean");
  const drawn = shown.filter((series) => series.kind === "percentile");
  let means = 0;
  let lines = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const point of points) {
    means = Math.max(
      means,
      stacked.reduce((sum, { key }) => sum + (point[key] ?? 0), 0),
    );
    for (const { key } of drawn) {
      lines = Math.max(lines, point[key] ?? 0);
      smallest = Math.min(smallest, point[key] || smallest);
    }
  }
  return { means, lines, smallest };
}

/** Stretches of missing points, first and last of each. */
export function findGaps(
  points: readonly { readonly t: number; readonly missing: boolean }[],
  step: number,
): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = [];
  for (const { t, missing } of points) {
    if (!missing) continue;
    const open = gaps.at(-1);
    if (open !== undefined && open.to === t - step) open.to = t;
    else gaps.push({ from: t, to: t });
  }
  return gaps;
}

/** Busy seconds whose neighbours are both empty. */
function findLonely(points: readonly ChartPoint[]): ChartPoint[] {
  const empty = (point: ChartPoint | undefined) => (point?.p99 ?? null) === null;
  return points.filter((point, i) => !empty(point) && empty(points[i - 1]) && empty(points[i + 1]));
}

function stackColumn(point: ChartPoint, hidden: ReadonlySet<SeriesKey>): Column[] {
  let bottom = 0;
  return LATENCY_SERIES.filter(({ key, kind }) => kind === "mean" && !hidden.has(key)).map(({ key }) => {
    const column = { key, t: point.t, bottom, top: bottom + (point[key] ?? 0) };
    bottom = column.top;
    return column;
  });
}
