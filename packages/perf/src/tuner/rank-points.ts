import { missedPercent, utilityOf, type Wanted } from "./compare-figures.ts";
import type { Expected } from "./correct-simulated.ts";
import type { SearchSpace } from "./search-space.ts";
import type { TuningMeasurement, TuningPoint, TuningSkip } from "./tuning-types.ts";

export interface Known {
  readonly space: SearchSpace;
  readonly wanted: Wanted;
  readonly measured: ReadonlyMap<string, TuningMeasurement>;
  readonly expected: ReadonlyMap<string, Expected>;
  readonly skipped: ReadonlyMap<string, TuningSkip>;
  /** Points that were tried beside those of the space. */
  readonly extra?: SearchSpace["points"];
}

/** All points by the best figures that are known of them, measured ones before those that are only simulated. Pure. */
export function rankPoints(
  { space, wanted, measured, expected, skipped, extra = [] }: Known,
  most: number,
): TuningPoint[] {
  const known = new Set(space.points.map(({ id }) => id));
  const rows = [...space.points, ...extra.filter(({ id }) => !known.has(id))].map((point) => {
    const was = measured.get(point.id) ?? null;
    const simulated = expected.get(point.id)?.figures ?? null;
    const figures = was ?? simulated;
    return { point, was, simulated, figures, utility: figures === null ? null : utilityOf(figures, wanted) };
  });
  const sorted = rows.toSorted(
    (a, b) =>
      Number(b.was !== null) - Number(a.was !== null) ||
      (b.utility ?? Number.NEGATIVE_INFINITY) - (a.utility ?? Number.NEGATIVE_INFINITY),
  );
  return sorted.slice(0, most).map(
    ({ point, was, simulated, figures }, index): TuningPoint => ({
      id: point.id,
      config: point.config.id,
      setting: point.config.setting,
      level: point.level,
      requestBatch: point.requestBatch,
      simulated,
      measured: was,
      skipped: skipped.get(point.id) ?? null,
      passes: figures === null ? null : missedPercent(figures, wanted.constraints) === 0,
      rank: figures === null ? null : index + 1,
    }),
  );
}
