import type { SearchSpace, SpacePoint } from "./search-space.ts";
import type { TuningConfig, TuningProbe, TuningSpec } from "./tuning-types.ts";

/** What the simulator must be told before it can say anything. */
export interface ProbePlan {
  /** The configuration that probes are sent to. */
  readonly config: TuningConfig;
  /** Items of one lonely request each. */
  readonly sizes: readonly number[];
  /** Points of the space under much load, measured before anything is ranked. */
  readonly loaded: readonly SpacePoint[];
}

/**
 * Lonely requests of the smallest, a middle and the largest size at one instance with the largest batches; then the highest load on that
 * and on the most instances: from these the costs are fitted. Pure.
 */
export function planProbes(space: SearchSpace, { requestBatches }: Pick<TuningSpec, "requestBatches">): ProbePlan {
  const fewest = Math.min(...space.configs.map(({ setting }) => setting.instances));
  const most = Math.max(...space.configs.map(({ setting }) => setting.instances));
  const config = largestBatch(space.configs.filter(({ setting }) => setting.instances === fewest));
  const other = largestBatch(space.configs.filter(({ setting }) => setting.instances === most));
  const least = Math.min(...requestBatches);
  const largest = Math.max(least, config.setting.maxBatchSize);
  const middle = Math.round(Math.sqrt(least * largest));
  const highest = (of: TuningConfig) =>
    space.points
      .filter((point) => point.config.id === of.id && point.requestBatch === least)
      .toSorted((a, b) => b.level - a.level)
      .slice(0, 1);
  return {
    config,
    sizes: [...new Set([least, middle, largest])],
    loaded: config.id === other.id ? highest(config) : [...highest(config), ...highest(other)],
  };
}

/** Sizes that are not yet known. Pure. */
export function openSizes({ sizes }: ProbePlan, probes: readonly TuningProbe[]): number[] {
  return sizes.filter(
    (size) => !probes.some(({ requestBatch, concurrency }) => requestBatch === size && concurrency === 1),
  );
}

/** Of those with the largest batches the one that waits least for them. */
function largestBatch(configs: readonly TuningConfig[]): TuningConfig {
  const [first] = configs.toSorted(
    (a, b) =>
      b.setting.maxBatchSize - a.setting.maxBatchSize ||
      Number(a.setting.queueDelayUs === null) - Number(b.setting.queueDelayUs === null) ||
      (a.setting.queueDelayUs ?? 0) - (b.setting.queueDelayUs ?? 0) ||
      a.setting.preferred.length - b.setting.preferred.length,
  );
  if (first === undefined) throw new Error("a space has at least the present configuration");
  return first;
}
