import { utilityOf } from "./compare-figures.ts";
import { importanceOf } from "./importance.ts";
import { paretoFront } from "./pareto.ts";
import { type Known, rankPoints } from "./rank-points.ts";
import { recommend } from "./recommend.ts";
import type { TuningLive, TuningMeasurement, TuningPoint, TuningResult, TuningSpec } from "./tuning-types.ts";

const MOST_POINTS = 2_000;

export interface ResultInput {
  readonly spec: TuningSpec;
  readonly known: Known;
  readonly probes: number;
  readonly seconds: number;
  readonly live: TuningLive | null;
  readonly ended: TuningResult["ended"];
}

type MeasuredPoint = TuningPoint & { readonly measured: TuningMeasurement };

/** What came of a tuning. Pure. */
export function tuningResult({ spec, known, probes, seconds, live, ended }: ResultInput): TuningResult {
  const points = rankPoints(known, MOST_POINTS);
  const measured = points.filter((point): point is MeasuredPoint => point.measured !== null);
  const [standard] = known.space.configs;
  const present = measured.find(({ config }) => config === standard?.id) ?? null;
  const recommended = recommend({ points, configs: known.space.configs, wanted: known.wanted, spec, present });
  const used = new Set([...measured.map(({ config }) => config), standard?.id]);
  return {
    version: 1,
    spec,
    configs: known.space.configs.filter(({ id }) => used.has(id) || points.some(({ config }) => config === id)),
    points,
    pareto: paretoFront(measured.map((point) => ({ id: point.id, figures: point.measured }))).map(({ id }) => id),
    importance: importanceOf(rated(points, known), spec.seed),
    recommended,
    present,
    simulator: simulatorDistance(measured),
    live,
    measurements: measured.reduce((sum, point) => sum + point.measured.times, 0),
    probes,
    space: known.space.points.length,
    seconds,
    ended,
    note: recommended === null ? noteOf(measured.length, ended) : null,
  };
}

/** Worse than this below the best, in logarithms, is all the same. */
const FLOOR = 3;

/** What is known of all points: measured, else simulated. */
function rated(points: readonly TuningPoint[], { wanted }: Known) {
  const all = points.flatMap(({ setting, level, requestBatch, measured, simulated }) => {
    const figures = measured ?? simulated;
    return figures === null
      ? []
      : [{ setting, level, requestBatch, value: utilityOf(figures, { ...wanted, constraints: [] }) }];
  });
  const best = Math.max(...all.map(({ value }) => value));
  return all.map((one) => ({ ...one, value: Math.max(one.value, best - FLOOR) }));
}

function noteOf(measured: number, ended: TuningResult["ended"]): string {
  if (measured > 0)
    return "Nothing that was measured keeps all limits: loosen them, lower the load, or allow more instances.";
  return ended === "budget"
    ? "The budget was spent before a load could be measured: allow more measurements, or more time."
    : "Nothing could be measured; the points say why.";
}

function simulatorDistance(measured: readonly MeasuredPoint[]): TuningResult["simulator"] {
  const known = measured.filter(({ simulated }) => simulated !== null);
  if (known.length === 0) return null;
  const median = (of: (point: MeasuredPoint) => number) => {
    const sorted = known.map(of).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return {
    points: known.length,
    throughput: median(({ simulated, measured: was }) => off(simulated?.throughput ?? 0, was.throughput)),
    p99: median(({ simulated, measured: was }) => off(simulated?.p99Us ?? 0, was.p99Us)),
  };
}

function off(said: number, was: number): number {
  return was === 0 ? 0 : Math.abs(said - was) / was;
}
