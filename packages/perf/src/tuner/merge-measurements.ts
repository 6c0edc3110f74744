import { percentilesOf } from "./simulate-setting.ts";
import type { Interval, TuningMeasurement } from "./tuning-types.ts";

/** Two measurements of one point as one: means by how often each was measured. What was asked once, such as GPUs, is the newer one's. Pure. */
export function mergeMeasurements(before: TuningMeasurement, now: TuningMeasurement): TuningMeasurement {
  const times = before.times + now.times;
  const mean = (a: number, b: number) => (a * before.times + b * now.times) / times;
  const known = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : mean(a, b));
  const quantilesUs = now.quantilesUs.map((us, index) => mean(before.quantilesUs[index] ?? us, us));
  // Windows of one stretch differ less than stretches do: the distance between the two counts too.
  const interval = (
    of: (one: TuningMeasurement) => { readonly value: number; readonly interval: Interval },
  ): Interval => {
    const [a, b] = [of(before), of(now)];
    const half = ({ interval: [low, high] }: typeof a) => (high - low) / 2;
    const center = mean(a.value, b.value);
    const spread = Math.max(
      Math.hypot(half(a) * before.times, half(b) * now.times) / times,
      Math.abs(a.value - b.value) / 2 / Math.sqrt(times - 1),
    );
    return [Math.max(0, center - spread), center + spread];
  };
  return {
    ...now,
    throughput: mean(before.throughput, now.throughput),
    goodput: mean(before.goodput, now.goodput),
    averageUs: mean(before.averageUs, now.averageUs),
    ...percentilesOf(quantilesUs),
    quantilesUs,
    meanBatch: known(before.meanBatch, now.meanBatch),
    failed: mean(before.failed, now.failed),
    throughputInterval: interval(({ throughput, throughputInterval }) => ({
      value: throughput,
      interval: throughputInterval,
    })),
    goodputInterval: interval(({ goodput, goodputInterval }) => ({ value: goodput, interval: goodputInterval })),
    p99Interval: interval(({ p99Us, p99Interval }) => ({ value: p99Us, interval: p99Interval })),
    memoryMb: Math.max(before.memoryMb ?? 0, now.memoryMb ?? 0) || null,
    cpuShare: known(before.cpuShare, now.cpuShare),
    stable: before.stable && now.stable,
    warnings: [...new Set([...before.warnings, ...now.warnings])],
    seconds: before.seconds + now.seconds,
    liveP99Ms: Math.max(before.liveP99Ms ?? 0, now.liveP99Ms ?? 0) || null,
    times,
  };
}
