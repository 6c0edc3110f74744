import { seededRandom } from "../load/seeded-random.ts";
import type { TuningImportance, TuningParameter, TuningSetting } from "./tuning-types.ts";

export interface Rated {
  readonly setting: TuningSetting;
  readonly level: number;
  readonly requestBatch: number;
  /** Of the objective, e.g. its logarithm. */
  readonly value: number;
}

const PARAMETERS: readonly TuningParameter[] = [
  "instances",
  "maxBatchSize",
  "queueDelayUs",
  "preferred",
  "threads",
  "accelerator",
  "load",
  "requestBatch",
];
const RESAMPLES = 200;
/** Fewer points say nothing of their causes. */
const FEWEST = 8;

/**
 * How much of the variance each parameter explains: the variance of the means of its values (the correlation ratio, a first-order Sobol
 * index), with an interval by resampling what was measured. The most important first; parameters with one value are left out. Pure.
 */
export function importanceOf(rated: readonly Rated[], seed = 1): TuningImportance[] {
  if (rated.length < FEWEST) return [];
  const random = seededRandom(seed);
  return PARAMETERS.filter((parameter) => new Set(rated.map((one) => wordOf(one, parameter))).size > 1)
    .map((parameter): TuningImportance => {
      const shares = Array.from({ length: RESAMPLES }, () =>
        explained(
          rated.flatMap(() => rated[Math.floor(random() * rated.length)] ?? []),
          parameter,
        ),
      ).toSorted((a, b) => a - b);
      const at = (share: number) => shares[Math.floor(share * (shares.length - 1))] ?? 0;
      return { parameter, share: explained(rated, parameter), interval: [at(0.05), at(0.95)] };
    })
    .toSorted((a, b) => b.share - a.share);
}

/** Unbiased: a value seen once explains nothing by that (omega squared). */
function explained(rated: readonly Rated[], parameter: TuningParameter): number {
  const groups = new Map<string, number[]>();
  for (const one of rated) {
    const key = wordOf(one, parameter);
    groups.set(key, [...(groups.get(key) ?? []), one.value]);
  }
  const mean = meanOf(rated.map(({ value }) => value));
  const total = rated.reduce((sum, { value }) => sum + (value - mean) ** 2, 0);
  if (total === 0) return 0;
  const between = [...groups.values()].reduce((sum, values) => sum + values.length * (meanOf(values) - mean) ** 2, 0);
  const within = total - between;
  const free = rated.length - groups.size;
  if (free <= 0) return 0;
  const noise = within / free;
  return Math.min(1, Math.max(0, (between - (groups.size - 1) * noise) / (total + noise)));
}

function wordOf({ setting, level, requestBatch }: Rated, parameter: TuningParameter): string {
  if (parameter === "load") return String(level);
  if (parameter === "requestBatch") return String(requestBatch);
  return JSON.stringify(setting[parameter]);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
}
