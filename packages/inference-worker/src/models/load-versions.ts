import { basename } from "node:path";
import { NereidError, statusText } from "@nereid/errors";
import {
  checkAgainstOnnx,
  completeFromOnnx,
  type Diagnostic,
  type ModelConfig,
  validateModelConfig,
} from "@nereid/model-config";
import { fingerprintOf } from "@nereid/model-repository";
import { ModelStatistics, type ModelStatisticsOptions, type SecondBuckets } from "@nereid/telemetry";
import type { RunnerHost } from "../runners/runner-process.ts";
import { compileSpec } from "./compile-spec.ts";
import type { ModelPlan, VersionPlan } from "./model-plan.ts";
import { readLabels } from "./read-labels.ts";
import type { Semaphore } from "./semaphore.ts";
import { type RunnerEvent, ServedVersion } from "./served-version.ts";

export interface LoaderContext {
  readonly host: RunnerHost;
  readonly buckets: SecondBuckets;
  readonly slots: Semaphore;
  readonly autoComplete: boolean;
  readonly defaultMaxBatchSize: number;
  /** Further attempts after a load that failed; none by default. */
  readonly retries?: number;
  /** What is counted for a model besides what is always counted. */
  readonly statisticsOf?: (config: ModelConfig) => Partial<ModelStatisticsOptions>;
  readonly onRunnerEvent: (model: string, version: string, event: RunnerEvent) => void;
}

export interface LoadedVersion {
  readonly plan: VersionPlan;
  readonly served: ServedVersion;
  readonly config: ModelConfig;
  /** Ends this version's part in the per-second series. */
  readonly closeSeries: () => void;
}

/** Some version did not load; `reasons` has the index text of each that failed, by version. */
export class VersionsFailed extends NereidError {
  readonly reasons: ReadonlyMap<string, string>;

  constructor(model: string, reasons: ReadonlyMap<string, string>) {
    const parts = [...reasons].map(([version, reason]) => `version ${version} is at UNAVAILABLE state: ${reason};\n`);
    super("INVALID_ARGUMENT", `load failed for model '${model}': ${parts.join("")}`);
    this.reasons = reasons;
  }
}

/** Loads versions of a plan side by side. All or nothing: when one fails the others are stopped and VersionsFailed is thrown. */
export async function loadVersions(
  plan: ModelPlan,
  versions: readonly VersionPlan[],
  context: LoaderContext,
): Promise<readonly LoadedVersion[]> {
  const results = await Promise.allSettled(
    versions.map((version) => context.slots.run(() => loadVersionPatiently(plan, version, context))),
  );
  const loaded = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const reasons = new Map<string, string>();
  results.forEach((result, index) => {
    if (result.status === "rejected") reasons.set(versions[index]?.version ?? "", reasonText(result.reason));
  });
  if (reasons.size === 0) return loaded;
  await Promise.all(loaded.map(({ served, closeSeries }) => served.stop(0).finally(closeSeries)));
  throw new VersionsFailed(plan.config.name, reasons);
}

/** `Invalid argument: text`, as the index and load failures print a status. */
export function reasonText(thrown: unknown): string {
  const error = NereidError.from(thrown);
  return `${statusText(error.code)}: ${error.message}`;
}

async function loadVersionPatiently(
  plan: ModelPlan,
  version: VersionPlan,
  context: LoaderContext,
): Promise<LoadedVersion> {
  for (let left = context.retries ?? 0; ; left -= 1) {
    try {
      return await loadVersion(plan, version, context);
    } catch (error) {
      if (left <= 0) throw error;
      const about = { runner: `${plan.config.name}/${version.version}` };
      context.host.log(`load failed, ${left} further attempts: ${NereidError.from(error).message}`, about);
    }
  }
}

async function loadVersion(plan: ModelPlan, version: VersionPlan, context: LoaderContext): Promise<LoadedVersion> {
  const { clock } = context.host;
  const model = plan.config.name;
  const series = context.buckets.open({ model, version: version.version });
  const statistics = new ModelStatistics({
    nowMs: () => clock.wallMs(),
    series,
    gpuUuids: [...new Set(version.instances.flatMap(({ gpuUuid }) => gpuUuid ?? []))],
    ...context.statisticsOf?.(plan.config),
  });
  const startedNs = clock.nowNs();
  let completed: ModelConfig | undefined;
  try {
    const labels = await readLabels(plan.snapshot.directory, plan.config);
    const served = await ServedVersion.load({
      name: `${model}/${version.version}`,
      host: context.host,
      load: version.load,
      statistics,
      executionTimeoutMs: version.executionTimeoutMs,
      unchanged: async () => (await fingerprintOf(version.directory)) === version.fingerprint,
      onEvent: (event) => context.onRunnerEvent(model, version.version, event),
      complete: (signature) => {
        const config = context.autoComplete
          ? completeConfig(plan.config, signature, context.defaultMaxBatchSize)
          : plan.config;
        // Only now are inputs and outputs complete; a reshape that does not fit its dims would read beyond a request's bytes.
        refuse(validateModelConfig(config, plan.validation), configFileOf(plan));
        refuse(checkAgainstOnnx(config, signature));
        completed = config;
        return compileSpec(config, { version: version.version, instances: version.instances, signature, labels });
      },
    });
    statistics.setLoadSeconds((clock.nowNs() - startedNs) / 1e9);
    return { plan: version, served, config: completed ?? plan.config, closeSeries: () => series.close() };
  } catch (error) {
    series.close();
    throw error;
  }
}

function configFileOf({ snapshot, validation }: ModelPlan): string | undefined {
  return validation.document === undefined ? undefined : basename(snapshot.configFile ?? "config.pbtxt");
}

type OnnxSignature = Parameters<typeof completeFromOnnx>[1];

function completeConfig(config: ModelConfig, signature: OnnxSignature, defaultMaxBatchSize: number): ModelConfig {
  const completed = completeFromOnnx(config, signature, { defaultMaxBatchSize });
  refuse(completed.diagnostics);
  return completed.config;
}

/** Throws the first error. `file` is the configuration file the findings' positions are in, where they have any. */
function refuse(diagnostics: readonly Diagnostic[], file?: string): void {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error === undefined) return;
  const help = error.help === undefined ? "" : ` (${error.help})`;
  const at = file === undefined ? "" : ` [${file}:${error.line}:${error.column}]`;
  throw new NereidError("INVALID_ARGUMENT", `${error.message}${help}${at}`);
}
