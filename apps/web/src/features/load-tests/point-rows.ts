import type { LoadPoint } from "@nereid/services/load-test-report";

export interface PointRows {
  /** Unix seconds, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** Seconds of one row. */
  readonly step: number;
  readonly rows: readonly { readonly t: number; readonly point: LoadPoint }[];
  /** Where each level begins. */
  readonly levels: readonly { readonly t: number; readonly level: number }[];
}

const LEAST_SECONDS = 10;

/**
 * Points of a test on the even steps of a chart. A point lies in the step in which it ends; one step without a point, between two that
 * have one, is a second that came a little late, and no gap. Pure.
 */
export function pointRows(points: readonly LoadPoint[], startedAtMs: number): PointRows {
  const begun = Math.floor(startedAtMs / 1000);
  const step = stepOf(points);
  const place = (t: number) => begun + Math.floor(t / step) * step;
  const byStep = new Map(points.map((point) => [place(point.t), point]));
  const last = place(points.at(-1)?.t ?? 0);
  const rows: { t: number; point: LoadPoint }[] = [];
  for (let t = place(points[0]?.t ?? 0); t <= last; t += step) {
    const before = byStep.get(t - step);
    const point = byStep.get(t) ?? (before?.level === byStep.get(t + step)?.level ? before : undefined);
    if (point !== undefined) rows.push({ t, point });
  }
  const levels = points.flatMap(({ t, level }, at) =>
    points[at - 1]?.level === level ? [] : [{ t: place(t), level }],
  );
  return { from: begun, to: Math.max(last + step, begun + LEAST_SECONDS), step, rows, levels };
}

/** Points are of 1, 2, 4 … seconds: as long as most distances between two are. */
function stepOf(points: readonly LoadPoint[]): number {
  const distances = points.slice(1).map(({ t }, at) => t - (points[at]?.t ?? 0));
  const middle = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 1;
  return 2 ** Math.max(0, Math.round(Math.log2(middle)));
}
