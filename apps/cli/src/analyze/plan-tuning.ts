import {
  buildSpace,
  DEFAULT_SEARCH,
  type SearchOptions,
  type SearchSpace,
  settingKey,
  type TunedModel,
  type TuningConfig,
  type TuningLoad,
  type TuningMode,
  type TuningSpace,
  type TuningSpec,
  tunedModel,
  valuesBetween,
  withLoads,
} from "@nereid/perf";
import type { AnalyzeCommand, ModelOrder } from "./analyze-command.ts";
import { expandParameters } from "./expand-parameters.ts";
import { settingError } from "./read-settings.ts";
import { constraintsOf, objectivesOf } from "./read-wanted.ts";
import { numbersOf, type SettingReader } from "./setting-reader.ts";

const MODES: Readonly<Record<string, TuningMode>> = {
  simulated: "simulated",
  brute: "brute",
  quick: "quick",
  optuna: "optimiser",
  optimiser: "optimiser",
};

/** A part of the space that is measured at most in the usual mode, and least and most of it. */
const USUAL_BUDGET = { share: 0.15, least: 8, most: 60 };

export interface PlannedTuning {
  readonly spec: TuningSpec;
  readonly space: SearchSpace;
  readonly search: SearchOptions;
}

/** What is tried for a model, from what was asked and what the model is. INVALID_ARGUMENT for what cannot be meant. Pure. */
export function planTuning(
  { name, settings, loads }: ModelOrder,
  {
    command,
    model,
    processors,
    offsetsMs,
  }: {
    readonly command: Pick<AnalyzeCommand, "protocol">;
    readonly model: TunedModel;
    readonly processors: number;
    /** Recorded arrivals; empty = none. */
    readonly offsetsMs: readonly number[];
  },
): PlannedTuning {
  const mode = MODES[settings.text("run_config_search_mode") ?? "simulated"];
  if (mode === undefined)
    throw settingError(
      `run_config_search_mode is '${settings.text("run_config_search_mode")}'`,
      "use simulated, brute, quick or optuna",
    );
  const manual = settings.has("model_config_parameters") || settings.flag("run_config_search_disable");
  const load = loadOf({ name, settings, loads }, { mode, offsetsMs });
  const requestBatches = loads.batchSizes ?? [1];
  const space = spaceOf(settings, { mode, model, processors });
  const found = manual
    ? withLoads(manualConfigs(settings, model), { load, requestBatches })
    : buildSpace({ space, load, requestBatches }, model);
  const goodWithinMs = settings.number("good_within_ms") ?? null;
  const spec: TuningSpec = {
    model: name,
    version: null,
    protocol: command.protocol,
    load,
    requestBatches,
    space,
    mode,
    objectives: objectivesOf(settings.raw("objectives"), goodWithinMs),
    constraints: constraintsOf(settings),
    goodWithinMs,
    budget: {
      measurements: settings.has("max_measurements")
        ? settings.whole("max_measurements", 1)
        : usualBudget(mode, found.points.length),
      seconds: settings.number("max_seconds") ?? null,
    },
    measureSeconds: settings.number("duration_seconds", 0.1) ?? 3,
    guard: {
      liveP99Ms: settings.number("live_p99_ms") ?? null,
      freeMemoryMb: settings.number("free_memory_mb") ?? 512,
      busyShare: settings.number("busy_share") ?? 0.9,
    },
    shapes: {},
    seed: settings.whole("seed", 1, 0),
  };
  const search: SearchOptions = {
    ...DEFAULT_SEARCH,
    earlyExit: mode === "brute" && !manual && !settings.flag("exhaustive"),
    topConfigs: settings.whole("num_configs_per_model", DEFAULT_SEARCH.topConfigs),
    binarySteps: settings.whole("run_config_search_max_binary_search_steps", DEFAULT_SEARCH.binarySteps, 0),
    leastShare: (settings.number("min_percentage_of_search_space") ?? 5) / 100,
    mostShare: (settings.number("max_percentage_of_search_space") ?? 10) / 100,
    patience: settings.whole("optuna_early_exit_threshold", DEFAULT_SEARCH.patience),
    sweep: !settings.flag("concurrency_sweep_disable"),
  };
  return { spec, space: found, search };
}

/** Most points that are measured where nobody said; null = as many as the mode wants. Pure. */
export function usualBudget(mode: TuningMode, points: number): number | null {
  if (mode !== "simulated") return null;
  return Math.min(USUAL_BUDGET.most, Math.max(USUAL_BUDGET.least, Math.ceil(points * USUAL_BUDGET.share)));
}

function loadOf(
  { settings, loads }: ModelOrder,
  { mode, offsetsMs }: { readonly mode: TuningMode; readonly offsetsMs: readonly number[] },
): TuningLoad {
  if (offsetsMs.length > 0)
    return {
      kind: "recorded",
      source: { kind: "given", offsetsMs },
      levels: settings.numbers("arrival_speeds", 0.01) ?? [1],
    };
  if (loads.concurrency !== undefined && loads.requestRate !== undefined)
    throw settingError("concurrency and request_rate exclude each other", "choose one");
  if (loads.requestRate !== undefined) return { kind: "rate", levels: loads.requestRate };
  if (loads.concurrency !== undefined) return { kind: "concurrency", levels: loads.concurrency };
  if (settings.flag("run_config_search_disable")) return { kind: "concurrency", levels: [1] };
  if (settings.flag("request_rate_search_enable")) {
    const least = settings.whole("run_config_search_min_request_rate", 16);
    return {
      kind: "rate",
      levels: valuesBetween(least, settings.whole("run_config_search_max_request_rate", 8192), "double"),
    };
  }
  const least = settings.whole("run_config_search_min_concurrency", 1);
  const most = settings.whole("run_config_search_max_concurrency", mode === "simulated" ? 128 : 1024);
  return { kind: "concurrency", levels: valuesBetween(least, most, "double") };
}

function spaceOf(
  settings: SettingReader,
  { mode, model, processors }: { readonly mode: TuningMode; readonly model: TunedModel; readonly processors: number },
): TuningSpace {
  const simulated = mode === "simulated";
  const leastInstances = settings.whole("run_config_search_min_instance_count", 1);
  const usualInstances = simulated && !model.onGpu ? Math.max(leastInstances, Math.min(5, processors)) : 5;
  const mostInstances = settings.whole("run_config_search_max_instance_count", usualInstances);
  const leastBatch = settings.whole("run_config_search_min_model_batch_size", 1);
  const mostBatch = settings.whole("run_config_search_max_model_batch_size", 128);
  const threads = settings.numbers("threads");
  const accelerators = settings.texts("accelerators");
  return {
    instances: settings.numbers("instance_counts") ?? valuesBetween(leastInstances, mostInstances, 1),
    maxBatchSizes: settings.numbers("model_batch_sizes", 0) ?? valuesBetween(leastBatch, mostBatch, "double"),
    queueDelaysUs: settings.numbers("queue_delays", 0) ?? (simulated ? [0, 200, 1000] : [0]),
    preferred: preferredOf(settings),
    threads: threads ?? [null],
    accelerators: accelerators?.map((one) => (one === "none" ? null : one)) ?? [null],
  };
}

function preferredOf(settings: SettingReader): number[][] {
  const value = settings.raw("preferred_batch_sizes");
  if (value === undefined) return [[]];
  if (Array.isArray(value))
    return value.map((one) =>
      Array.isArray(one) && one.length === 0 ? [] : numbersOf(one, "preferred_batch_sizes", 1),
    );
  return String(value)
    .split(",")
    .map((one) => (one.trim() === "none" ? [] : numbersOf(one.split("+"), "preferred_batch_sizes", 1)));
}

/** The present configuration, and each combination of what the file says. */
function manualConfigs(settings: SettingReader, model: TunedModel): TuningConfig[] {
  const configs: TuningConfig[] = [{ id: `${model.name}_config_default`, setting: model.present, fields: {} }];
  if (!settings.has("model_config_parameters")) return configs;
  const seen = new Set([settingKey(model.present)]);
  for (const fields of expandParameters(settings.raw("model_config_parameters"))) {
    const { present: setting } = tunedModel(model.name, { ...model.config, ...fields });
    // Fields that the search does not know make a configuration of their own.
    const key = `${settingKey(setting)}${JSON.stringify(otherFields(fields))}`;
    if (seen.has(key) || (Object.keys(otherFields(fields)).length === 0 && seen.has(settingKey(setting)))) continue;
    seen.add(key);
    configs.push({ id: `${model.name}_config_${configs.length - 1}`, setting, fields });
  }
  return configs;
}

const KNOWN_FIELDS = new Set(["instance_group", "max_batch_size", "dynamic_batching"]);

function otherFields(fields: TuningConfig["fields"]) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !KNOWN_FIELDS.has(name)));
}
