import { gaussianProcess } from "./gaussian-process.ts";
import { goodputWithin } from "./goodput.ts";
import { placeOf } from "./point-place.ts";
import type { SpacePoint } from "./search-space.ts";
import { percentilesOf } from "./simulate-setting.ts";
import { QUANTILES, type TuningFigures } from "./tuning-types.ts";

/** What is expected of a point. */
export interface Expected {
  readonly figures: TuningFigures;
  /** As good as it may well be: what a point must promise to be worth a measurement. */
  readonly hopeful: TuningFigures;
}

export interface CorrectionInput {
  readonly points: readonly SpacePoint[];
  readonly simulated: ReadonlyMap<string, TuningFigures>;
  readonly measured: ReadonlyMap<string, TuningFigures>;
  readonly goodWithinMs: number | null;
}

/** Logarithms by which the simulator may be wrong, by which two measurements differ, and the part it is wrong by everywhere. */
const THROUGHPUT = { deviation: 0.25, noise: 0.04, shared: 0.4 };
const LATENCY = { deviation: 0.35, noise: 0.08, shared: 0.4 };
/** Deviations above the mean that are hoped for. */
const HOPE = 1;

/** What the simulator says, corrected by how wrong it was where was measured: most near by, a little everywhere. Pure. */
export function correctSimulated({
  points,
  simulated,
  measured,
  goodWithinMs,
}: CorrectionInput): Map<string, Expected> {
  const known = points.flatMap((point) => {
    const [said, was] = [simulated.get(point.id), measured.get(point.id)];
    return said === undefined || was === undefined || was.throughput <= 0 ? [] : [{ at: placeOf(point), said, was }];
  });
  const ratio = (of: (figures: TuningFigures) => number, options: typeof THROUGHPUT) =>
    gaussianProcess(
      known.map(({ at, said, was }) => ({ at, value: Math.log(Math.max(of(was), 1e-9) / Math.max(of(said), 1e-9)) })),
      options,
    );
  const throughput = ratio((figures) => figures.throughput, THROUGHPUT);
  const middle = ratio(({ p50Us }) => p50Us, LATENCY);
  const tail = ratio(({ p99Us }) => p99Us, LATENCY);
  const expected = new Map<string, Expected>();
  for (const point of points) {
    const said = simulated.get(point.id);
    if (said === undefined) continue;
    const at = placeOf(point);
    const [x, m, t] = [throughput(at), middle(at), tail(at)];
    const corrected = (hope: number): TuningFigures =>
      scaled(said, {
        throughput: Math.exp(x.mean + hope * x.deviation),
        middle: Math.exp(m.mean - hope * m.deviation),
        tail: Math.exp(t.mean - hope * t.deviation),
        goodWithinMs,
      });
    expected.set(point.id, { figures: corrected(0), hopeful: corrected(HOPE) });
  }
  return expected;
}

interface Scale {
  readonly throughput: number;
  readonly middle: number;
  readonly tail: number;
  readonly goodWithinMs: number | null;
}

function scaled(figures: TuningFigures, { throughput: factor, middle, tail, goodWithinMs }: Scale): TuningFigures {
  let before = 0;
  const quantilesUs = figures.quantilesUs.map((us, index) => {
    // From the median on the tail's factor gains weight, as logarithms do towards the last percent.
    const share = QUANTILES[index] ?? 1;
    const weight = share <= 0.5 ? 0 : Math.min(1, Math.log((1 - 0.5) / Math.max(0.01, 1 - share)) / Math.log(50));
    before = Math.max(before, us * middle ** (1 - weight) * tail ** weight);
    return before;
  });
  const throughput = figures.throughput * factor;
  return {
    ...figures,
    throughput,
    goodput: goodputWithin({ throughput, quantilesUs }, goodWithinMs),
    averageUs: figures.averageUs * middle,
    ...percentilesOf(quantilesUs),
    quantilesUs,
  };
}
