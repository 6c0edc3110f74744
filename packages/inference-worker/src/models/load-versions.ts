import { readFileSync } from "node:fs";
import { basename, resolve as resolvePath, sep } from "node:path";
import { type ErrorCode, NereidError, statusText } from "@nereid/errors";
import {
  asDecoupled,
  checkAgainstOnnx,
  completeFromOnnx,
  completeFromScript,
  type Diagnostic,
  type ModelConfig,
  validateModelConfig,
} from "@nereid/model-config";
import { fingerprintOf } from "@nereid/model-repository";
import { ModelStatistics, type ModelStatisticsOptions, type SecondBuckets } from "@nereid/telemetry";
import { prepareEngines } from "../backends/onnxruntime/engine-files.ts";
import { contentKeyOf, withContentKey } from "../cache/cache-key.ts";
import { composeEnsemble } from "../ensemble/compose-ensemble.ts";
import { EnsembleVersion } from "../ensemble/ensemble-version.ts";
import type { BindRunner } from "../host-policy/create-binder.ts";
import { limitedInstances } from "../rate-limiter/limited-instances.ts";
import type { RunnerHost, RunnerSignature } from "../runners/runner-host.ts";
import type { AdmissionLimits } from "../scheduler/policy.ts";
import { compileSpec } from "./compile-spec.ts";
import type { SharedParts } from "./model-executor.ts";
import type { ModelPlan, VersionPlan } from "./model-plan.ts";
import { readLabels } from "./read-labels.ts";
import type { RequestChoice } from "./resolve-version.ts";
import { type LoadStage, RunnerVersion, type WarmUp } from "./runner-version.ts";
import type { Semaphore } from "./semaphore.ts";
import type { InstanceEvent, RunnerEvent, ServedVersion } from "./served-version.ts";

export interface LoaderContext {
  readonly host: RunnerHost;
  readonly buckets: SecondBuckets;
  readonly slots: Semaphore;
  readonly autoComplete: boolean;
  readonly defaultMaxBatchSize: number;
  /** The runners give way to others as long as they live. */
  readonly lowPriority?: boolean;
  /** Further attempts after a load that failed; none by default. */
  readonly retries?: number;
  /** What is counted for a model besides what is always counted. */
  readonly statisticsOf?: (config: ModelConfig) => Partial<ModelStatisticsOptions>;
  readonly onRunnerEvent: (model: string, version: string, event: RunnerEvent) => void;
  /** An operator drained, resumed or restarted an instance. */
  readonly onInstanceEvent?: (model: string, version: string, event: InstanceEvent) => void;
  /** How far a load is. */
  readonly onLoadStage?: (model: string, version: string, stage: LoadStage) => void;
  /** What the executors of all models share. */
  readonly shared: SharedParts;
  /** Limits of queues that a model does not limit itself. */
  readonly admission: AdmissionLimits;
  /** The model that a step of an ensemble uses now; throws as a request for it would. */
  readonly resolve: (model: string, version: string | undefined, choice?: RequestChoice) => ServedVersion;
  /** Samples that are executed before a version serves. */
  readonly warmUpOf?: (plan: ModelPlan, version: VersionPlan) => WarmUp | undefined;
  /** Binds a runner that was started to the cores of its instances' host policies. */
  readonly bindRunner?: BindRunner | undefined;
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

  constructor(model: string, reasons: ReadonlyMap<string, string>, code: ErrorCode = "INVALID_ARGUMENT") {
    const parts = [...reasons].map(([version, reason]) => `version ${version} is at UNAVAILABLE state: ${reason};\n`);
    super(code, `load failed for model '${model}': ${parts.join("")}`);
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
    versions.map((version) => context.slots.run(() => loadVersionPatiently(plan, version, context), plan.signal)),
  );
  const loaded = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const reasons = new Map<string, string>();
  results.forEach((result, index) => {
    if (result.status === "rejected") reasons.set(versions[index]?.version ?? "", reasonText(result.reason));
  });
  const cancelled = plan.signal?.aborted === true;
  if (reasons.size === 0 && !cancelled) return loaded;
  await Promise.all(loaded.map(({ served, closeSeries }) => served.stop(0).finally(closeSeries)));
  plan.signal?.throwIfAborted();
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
      if (left <= 0 || plan.signal?.aborted === true) throw error;
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
  try {
    const load = version.work.kind === "ensemble" ? loadEnsemble : loadRunner;
    const { served, config } = await load(plan, version, { context, statistics });
    statistics.setLoadSeconds((clock.nowNs() - startedNs) / 1e9);
    return { plan: version, served, config, closeSeries: () => series.close() };
  } catch (error) {
    series.close();
    throw error;
  }
}

interface Loading {
  readonly context: LoaderContext;
  readonly statistics: ModelStatistics;
}

type Made = Pick<LoadedVersion, "served" | "config">;

async function loadRunner(plan: ModelPlan, version: VersionPlan, { context, statistics }: Loading): Promise<Made> {
  if (version.work.kind !== "runner") throw new NereidError("INTERNAL", "a model without a runner cannot be loaded");
  const model = plan.config.name;
  const { directory } = plan.snapshot;
  const labels = await readLabels(directory, plan.config);
  context.shared.rateLimiter?.check(limitedInstances(model, version.instances));
  const warmUp = context.warmUpOf?.(plan, version);
  const { processorLimit, engines } = version.work;
  if (engines !== undefined) prepareEngines(engines);
  const program = await version.work.program?.();
  let completed: ModelConfig | undefined;
  const served = await RunnerVersion.load({
    name: `${model}/${version.version}`,
    host: { ...context.host, ...program, ...(processorLimit !== undefined && { processorLimit }) },
    load: version.work.load,
    statistics,
    shared: context.shared,
    executionTimeoutMs: version.executionTimeoutMs,
    signal: plan.signal,
    lowPriority: context.lowPriority === true,
    ...(warmUp !== undefined && { warmUp }),
    onStarted: (pid) => context.bindRunner?.({ pid, name: `${model}/${version.version}` }, version.instances),
    onStage: (stage) => context.onLoadStage?.(model, version.version, stage),
    unchanged: async () => (await fingerprintOf(version.directory)) === version.fingerprint,
    onEvent: (event) => context.onRunnerEvent(model, version.version, event),
    onInstanceEvent: (event) => context.onInstanceEvent?.(model, version.version, event),
    complete: (signature) => {
      const config = completed ?? completeConfig(plan, signature, context);
      completed = config;
      const spec = compileSpec(config, {
        version: version.version,
        instances: version.instances,
        signature,
        labels,
        execution: signature.execution,
        tellsReadiness: signature.readiness,
        cache: context.shared.cache !== undefined,
        admission: context.admission,
        readInitialState: (file) => readInitialState(directory, file),
      });
      return withContentKey(spec, () => version.key);
    },
  });
  return { served, config: completed ?? plan.config };
}

async function loadEnsemble(plan: ModelPlan, version: VersionPlan, { context, statistics }: Loading): Promise<Made> {
  const { shared, resolve, host } = context;
  const composed = composeEnsemble(plan.config, ({ model, version: wanted }) => resolve(model, wanted).spec);
  const labels = await readLabels(plan.snapshot.directory, plan.config);
  const config = composed.decoupled ? asDecoupled(plan.config) : plan.config;
  const compiled = compileSpec(config, {
    version: version.version,
    instances: [],
    signature: { inputs: [], outputs: [] },
    labels: new Map([...composed.labels, ...labels]),
    execution: "requests",
    cache: shared.cache !== undefined,
    admission: context.admission,
    readInitialState: () => new Uint8Array(),
  });
  // The models of the steps may be loaded anew while the ensemble stays.
  const spec = withContentKey(compiled, () =>
    [
      version.key,
      ...composed.graph.steps.map((step) => contentKeyOf(() => resolve(step.model, step.version).spec)),
    ].join(),
  );
  const { schedulingChoice } = config;
  const maxInFlight = schedulingChoice.case === "ensembleScheduling" ? schedulingChoice.value.maxInflightRequests : 0;
  const { key } = version;
  const served = new EnsembleVersion({
    spec,
    key,
    composed,
    maxInFlight,
    clock: host.clock,
    statistics,
    shared,
    resolve,
  });
  return { served, config };
}

/** The configuration with what the model itself says, checked against it. */
function completeConfig(plan: ModelPlan, signature: RunnerSignature, context: LoaderContext): ModelConfig {
  const scripted = signature.execution === "requests";
  let config = plan.config;
  if (scripted && context.autoComplete) config = completeFromScript(plan.config, signature);
  else if (!scripted && context.autoComplete)
    config = completeFromGraph(plan.config, signature, context.defaultMaxBatchSize);
  // Only now are inputs and outputs complete; a reshape that does not fit its dims would read beyond a request's bytes.
  refuse(validateModelConfig(config, plan.validation), configFileOf(plan));
  if (scripted) checkAgainstScript(config, signature);
  else refuse(checkAgainstOnnx(config, signature));
  return config;
}

/** INVALID_ARGUMENT when neither the script nor its configuration tells a signature, or when they contradict each other. */
function checkAgainstScript(config: ModelConfig, script: RunnerSignature): void {
  for (const [kind, declared, configured] of [
    ["input", script.inputs, config.input],
    ["output", script.outputs, config.output],
  ] as const) {
    if (configured.length === 0) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `model '${config.name}' has no ${kind}s: give them in its configuration, or in the function of the model that completes it (autoComplete, or auto_complete_config in Python)`,
      );
    }
    const foreign = declared.find(({ name }) => !configured.some((tensor) => tensor.name === name));
    if (foreign === undefined) continue;
    throw new NereidError(
      "INVALID_ARGUMENT",
      `the script of model '${config.name}' declares ${kind} '${foreign.name}', which its configuration does not have (${configured.map(({ name }) => `'${name}'`).join(", ")})`,
    );
  }
}

function readInitialState(directory: string, file: string): Uint8Array {
  const root = resolvePath(directory, "initial_state");
  const path = resolvePath(root, file);
  if (!path.startsWith(root + sep))
    throw new NereidError(
      "INVALID_ARGUMENT",
      `initial state file '${file}' must lie in the model's initial_state directory`,
    );
  try {
    return readFileSync(path);
  } catch {
    throw new NereidError("INVALID_ARGUMENT", `failed to read initial state file 'initial_state/${file}' of the model`);
  }
}

function configFileOf({ snapshot, validation }: ModelPlan): string | undefined {
  return validation.document === undefined ? undefined : basename(snapshot.configFile ?? "config.pbtxt");
}

type OnnxSignature = Parameters<typeof completeFromOnnx>[1];

function completeFromGraph(config: ModelConfig, signature: OnnxSignature, defaultMaxBatchSize: number): ModelConfig {
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
