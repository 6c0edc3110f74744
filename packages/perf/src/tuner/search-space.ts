import { NereidError } from "@nereid/errors";
import { configFields } from "./config-fields.ts";
import type { TunedModel } from "./tuned-model.ts";
import type { TuningConfig, TuningSetting, TuningSpace, TuningSpec } from "./tuning-types.ts";

/** A place of the space: a configuration under one load. */
export interface SpacePoint {
  /** `<config> <level> <requestBatch>`. */
  readonly id: string;
  readonly config: TuningConfig;
  readonly level: number;
  readonly requestBatch: number;
}

export interface SearchSpace {
  /** The present configuration first. */
  readonly configs: readonly TuningConfig[];
  readonly points: readonly SpacePoint[];
}

const MOST_POINTS = 20_000;

/**
 * Every combination that a model can have, the present configuration first, without those that mean the same. INVALID_ARGUMENT when none
 * is left or there are too many. Pure.
 */
export function buildSpace(
  { space, load, requestBatches }: Pick<TuningSpec, "space" | "load" | "requestBatches">,
  model: TunedModel,
): SearchSpace {
  const seen = new Set([settingKey(model.present)]);
  const settings: TuningSetting[] = [];
  for (const setting of combinations(space)) {
    const legal = legalSetting(setting, model);
    if (legal === undefined || seen.has(settingKey(legal))) continue;
    seen.add(settingKey(legal));
    settings.push(legal);
  }
  const present: TuningConfig = { id: `${model.name}_config_default`, setting: model.present, fields: {} };
  const configs = [
    present,
    ...settings.map(
      (setting, index): TuningConfig => ({
        id: `${model.name}_config_${index}`,
        setting,
        fields: configFields(setting, model),
      }),
    ),
  ];
  return withLoads(configs, { load, requestBatches });
}

/** These configurations under each load that they can take. INVALID_ARGUMENT when there are none or too many. Pure. */
export function withLoads(
  configs: readonly TuningConfig[],
  { load, requestBatches }: Pick<TuningSpec, "load" | "requestBatches">,
): SearchSpace {
  const points = configs.flatMap((config) =>
    requestBatches
      .filter((requestBatch) => requestBatch <= Math.max(1, config.setting.maxBatchSize))
      .flatMap((requestBatch) => load.levels.map((level) => spacePoint(config, level, requestBatch))),
  );
  if (points.length === 0)
    throw new NereidError("INVALID_ARGUMENT", "there is nothing to try", {
      fix: "give at least one load, and requests no larger than a batch may be",
    });
  if (points.length > MOST_POINTS)
    throw new NereidError("INVALID_ARGUMENT", `the space has ${points.length} points, more than ${MOST_POINTS}`, {
      fix: "try fewer values",
    });
  return { configs, points };
}

export function spacePoint(config: TuningConfig, level: number, requestBatch: number): SpacePoint {
  return { id: `${config.id} ${level} ${requestBatch}`, config, level, requestBatch };
}

/** Text that is the same for settings that mean the same. */
export function settingKey(setting: TuningSetting): string {
  const { instances, maxBatchSize, queueDelayUs, preferred, threads, accelerator } = setting;
  return JSON.stringify([instances, maxBatchSize, queueDelayUs, preferred, threads, accelerator]);
}

/** From `start` to `end`: each value double the one before, or `step` above it. Pure. */
export function valuesBetween(start: number, end: number, step: number | "double"): number[] {
  const values: number[] = [];
  for (let value = start; value <= end; value = step === "double" ? Math.max(1, value * 2) : value + step) {
    values.push(value);
    if (step !== "double" && step <= 0) break;
  }
  return values;
}

function* combinations(space: TuningSpace): Generator<TuningSetting> {
  for (const instances of space.instances)
    for (const maxBatchSize of space.maxBatchSizes)
      for (const queueDelayUs of space.queueDelaysUs)
        for (const preferred of space.preferred)
          for (const threads of space.threads)
            for (const accelerator of space.accelerators)
              yield { instances, maxBatchSize, queueDelayUs, preferred, threads, accelerator };
}

/** The setting as it means something for this model, or undefined when it cannot be had. Pure. */
export function legalSetting(setting: TuningSetting, model: TunedModel): TuningSetting | undefined {
  if (setting.instances < 1) return undefined;
  if (!model.batches) return { ...setting, maxBatchSize: 0, queueDelayUs: null, preferred: [] };
  const maxBatchSize = Math.max(1, setting.maxBatchSize);
  // Of one request alone no batch is made, and sequences have a batcher of their own.
  if (maxBatchSize === 1 || setting.queueDelayUs === null || model.sequences)
    return { ...setting, maxBatchSize, queueDelayUs: null, preferred: [] };
  const preferred = [...new Set(setting.preferred)].filter((size) => size <= maxBatchSize).toSorted((a, b) => a - b);
  if (preferred.length < setting.preferred.length) return undefined;
  // Without any the largest size is the preferred one.
  const isUsual = preferred.length === 1 && preferred[0] === maxBatchSize;
  return { ...setting, maxBatchSize, preferred: isUsual ? [] : preferred };
}
