import { binaryScale, niceScale, type Scale, timeTicks } from "./nice-scale.ts";
import { findGaps } from "./prepare-latency.ts";

/** A line of a chart; its values are in `values` of each row, null where there is none. */
export interface LineLook {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly dash?: string;
  /** Faint: the period before. */
  readonly faint?: boolean;
}

export interface LineRow {
  readonly t: number;
  readonly values: Readonly<Record<string, number | null>>;
}

export interface LinePoint extends LineRow {
  readonly missing: boolean;
}

export interface PreparedLines {
  readonly points: readonly LinePoint[];
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly timeTicks: readonly number[];
  readonly scale: Scale;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** `key:t` of points whose neighbours are empty: without a dot they would be invisible. */
  readonly isolated: ReadonlySet<string>;
}

export interface PrepareLinesInput {
  /** Ascending; a step may be missing. */
  readonly rows: readonly LineRow[];
  readonly lines: readonly LineLook[];
  /** Unix seconds, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** What the values are; bytes have an axis of powers of two. */
  readonly unit?: "bytes" | undefined;
}

/** Decides everything a chart of lines draws. */
export function prepareLines({ rows, lines, from, to, step, unit }: PrepareLinesInput): PreparedLines {
  const byTime = new Map(rows.map((row) => [row.t, row]));
  const first = rows[0]?.t ?? to;
  const last = rows.at(-1)?.t ?? first - step;
  const points = Array.from({ length: Math.max(0, Math.round((last - first) / step) + 1) }, (_, i): LinePoint => {
    const t = first + i * step;
    const row = byTime.get(t);
    return row === undefined ? { t, values: {}, missing: true } : { ...row, missing: false };
  });
  const largest = points.reduce(
    (most, { values }) => lines.reduce((max, { key }) => Math.max(max, values[key] ?? 0), most),
    0,
  );
  const empty = (key: string, at: number) => (points[at]?.values[key] ?? null) === null;
  const isolated = points.flatMap(({ t }, at) =>
    lines.flatMap(({ key }) => (!empty(key, at) && empty(key, at - 1) && empty(key, at + 1) ? [`${key}:${t}`] : [])),
  );
  return {
    points,
    from,
    to: to - step,
    step,
    timeTicks: timeTicks(from, to - step, 5),
    scale: unit === "bytes" ? binaryScale(largest) : niceScale(largest),
    gaps: findGaps(points, step),
    isolated: new Set(isolated),
  };
}

const SPLIT_COLORS = ["var(--series-infer)", "var(--series-queue)", "var(--series-output)", "var(--series-input)"];
const SPLIT_DASHES = [undefined, "6 3"];

/** Looks of the lines of a split, by their place among all of the names; eight can be told apart. */
export function splitLooks(names: readonly string[], label: (name: string) => string): LineLook[] {
  return names.slice(0, SPLIT_COLORS.length * SPLIT_DASHES.length).map((key, place) => {
    const dash = SPLIT_DASHES[Math.floor(place / SPLIT_COLORS.length)];
    return {
      key,
      label: label(key),
      color: SPLIT_COLORS[place % SPLIT_COLORS.length] ?? "var(--series-line)",
      ...(dash !== undefined && { dash }),
    };
  });
}
