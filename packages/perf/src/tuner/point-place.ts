import type { SpacePoint } from "./search-space.ts";

/** Where a point lies, scaled so that a distance of 1 is about as far as one measurement tells of another. Pure. */
export function placeOf({ config: { setting }, level, requestBatch }: SpacePoint): number[] {
  const { instances, maxBatchSize, queueDelayUs, preferred, threads, accelerator } = setting;
  return [
    Math.log2(instances) / 1,
    Math.log2(Math.max(1, maxBatchSize)) / 2,
    queueDelayUs === null ? -0.5 : Math.log10(1 + queueDelayUs / 50) / 0.8,
    preferred.length === 0 ? 0 : 0.5,
    threads === null ? 0 : Math.log2(threads) / 1,
    accelerator === null ? 0 : 1 + accelerator.length,
    Math.log2(Math.max(1e-3, level)) / 1.5,
    Math.log2(Math.max(1, requestBatch)) / 1.5,
  ];
}
