import { latencyCurve, type Random } from "@nereid/inference-worker/simulator";
import { QUANTILES, type TuningProbe } from "./tuning-types.ts";

/** What executions cost by the size of their batch, measured where nothing else ran. */
export interface ServiceCurve {
  /** Microseconds in the engine. */
  readonly inferUs: (batchSize: number) => number;
  /** Microseconds around it: handing over the batch and taking it back. */
  readonly aroundUs: (batchSize: number) => number;
  /** An extra of one execution in microseconds, as the tail of lonely requests has it. */
  readonly extraUs: (random: Random) => number;
  readonly sizes: readonly number[];
}

/** The curve through probes of one request at a time; undefined when none of them executed. Pure. */
export function serviceCurve(probes: readonly TuningProbe[]): ServiceCurve | undefined {
  const lonely = probes.filter(({ concurrency }) => concurrency === 1);
  const bySize = new Map<number, { count: number; infer: number; around: number }>();
  for (const { batchSize, count, inferUs, aroundUs } of lonely.flatMap(({ executions }) => executions)) {
    const sum = bySize.get(batchSize) ?? { count: 0, infer: 0, around: 0 };
    bySize.set(batchSize, {
      count: sum.count + count,
      infer: sum.infer + count * inferUs,
      around: sum.around + count * aroundUs,
    });
  }
  const points = [...bySize].filter(([, { count }]) => count > 0);
  if (points.length === 0) return undefined;
  const curveOf = (of: "infer" | "around") =>
    latencyCurve(points.map(([batchSize, sums]) => ({ batchSize, ns: sums[of] / sums.count })));
  const [first] = lonely.toSorted((a, b) => a.requestBatch - b.requestBatch);
  const tail = (first?.quantilesUs ?? []).map((us) => Math.max(0, us - (first?.p50Us ?? 0)));
  return {
    inferUs: curveOf("infer"),
    aroundUs: curveOf("around"),
    extraUs: (random) => interpolated(tail, random()),
    sizes: points.map(([size]) => size).toSorted((a, b) => a - b),
  };
}

function interpolated(values: readonly number[], share: number): number {
  const above = QUANTILES.findIndex((one) => one >= share);
  const [low, high] = [values[above - 1] ?? 0, values[above] ?? 0];
  const [from, to] = [QUANTILES[above - 1] ?? 0, QUANTILES[above] ?? 1];
  return to === from ? high : low + ((share - from) / (to - from)) * (high - low);
}
