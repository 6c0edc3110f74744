import { compareFigures, missedPercent, utilityOf, type Wanted } from "./compare-figures.ts";
import { chanceAbove } from "./intervals.ts";
import type { TuningConfig, TuningMeasurement, TuningPoint, TuningRecommendation, TuningSpec } from "./tuning-types.ts";

export interface RecommendInput {
  readonly points: readonly TuningPoint[];
  readonly configs: readonly TuningConfig[];
  readonly wanted: Wanted;
  readonly spec: TuningSpec;
  /** The present configuration at its best level. */
  readonly present: TuningPoint | null;
}

/** Nearly as good: within what two measurements differ by. */
const ALIKE = 0.02;

/**
 * The configuration whose best measured point is best; of those within two percent of it the one that changes least. Null when nothing
 * measured keeps all limits. `text` and `diff` are for who knows the whole configuration. Pure.
 */
export function recommend({ points, configs, wanted, spec, present }: RecommendInput): TuningRecommendation | null {
  const measured = points
    .filter((point): point is TuningPoint & { measured: TuningMeasurement } => point.measured !== null)
    .filter(({ measured: figures }) => missedPercent(figures, wanted.constraints) === 0)
    .toSorted((a, b) => utilityOf(b.measured, wanted) - utilityOf(a.measured, wanted));
  const [first] = measured;
  if (first === undefined) return null;
  const changes = ({ config }: TuningPoint) =>
    Object.keys(configs.find(({ id }) => id === config)?.fields ?? {}).length;
  const best =
    measured
      .filter((point) => utilityOf(point.measured, wanted) > utilityOf(first.measured, wanted) - ALIKE)
      .toSorted((a, b) => changes(a) - changes(b))[0] ?? first;
  const rivals = measured.filter(({ config }) => config !== best.config);
  const config = configs.find(({ id }) => id === best.config);
  return {
    config: best.config,
    point: best.id,
    fields: config?.fields ?? {},
    text: null,
    diff: [],
    why: sentences({ best, present, rivals, wanted, spec }),
    confidence: rivals.reduce((least, rival) => Math.min(least, chanceOf(best.measured, rival.measured)), 1),
  };
}

/** How likely one is truly no worse than another by two percent. */
function chanceOf(a: TuningMeasurement, b: TuningMeasurement): number {
  const allowed = b.goodput * ALIKE;
  return chanceAbove(
    { mean: a.goodput, interval: a.goodputInterval },
    { mean: b.goodput - allowed, interval: [b.goodputInterval[0] - allowed, b.goodputInterval[1] - allowed] },
  );
}

function sentences({
  best,
  present,
  rivals,
  wanted,
  spec,
}: {
  readonly best: TuningPoint & { readonly measured: TuningMeasurement };
  readonly present: TuningPoint | null;
  readonly rivals: readonly (TuningPoint & { readonly measured: TuningMeasurement })[];
  readonly wanted: Wanted;
  readonly spec: TuningSpec;
}): string[] {
  const { measured } = best;
  const good =
    spec.goodWithinMs === null ? "" : `, ${measured.goodput.toFixed(0)} of them within ${spec.goodWithinMs} ms`;
  const lines = [
    `At ${levelWords(spec, best.level)} it answered ${measured.throughput.toFixed(0)} a second${good}, with a p99 of ${(measured.p99Us / 1000).toFixed(2)} ms.`,
  ];
  if (present?.measured && present.config !== best.config) {
    const gain = percent(measured.goodput, present.measured.goodput);
    lines.push(
      `The present configuration at its best, ${levelWords(spec, present.level)}: ${present.measured.goodput.toFixed(0)} a second, p99 ${(present.measured.p99Us / 1000).toFixed(2)} ms${gain === undefined ? "" : `; the recommended one is ${gain}`}.`,
    );
  }
  if (present !== null && present.config === best.config)
    lines.push(
      "No other configuration that was measured is better by more than measurements differ: nothing needs to change.",
    );
  const [rival] = rivals.toSorted((a, b) => compareFigures(b.measured, a.measured, wanted));
  if (rival !== undefined)
    lines.push(
      `The next best, ${rival.config}, had ${rival.measured.goodput.toFixed(0)} a second at ${levelWords(spec, rival.level)}.`,
    );
  return lines;
}

/** A level of load in words. */
export function levelWords({ load }: Pick<TuningSpec, "load">, level: number): string {
  if (load.kind === "concurrency") return level === 1 ? "1 request in flight" : `${level} requests in flight`;
  if (load.kind === "rate") return `${level} requests a second`;
  return level === 1 ? "the recorded load" : `${level} times the recorded load`;
}

function percent(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const change = (now / before - 1) * 100;
  return change >= 0 ? `${change.toFixed(0)} % better` : `${(-change).toFixed(0)} % worse`;
}
