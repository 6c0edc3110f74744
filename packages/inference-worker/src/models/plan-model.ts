import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import { NereidError } from "@nereid/errors";
import {
  applyModelDefaults,
  changedFields,
  type Diagnostic,
  fillModelConfig,
  type ModelConfig,
  type ModelDefaults,
  modelConfigFromJson,
  modelConfigToJson,
  normalizeInstanceGroups,
  notHonoured,
  parseModelConfig,
  printModelConfig,
  selectVersions,
  validateModelConfig,
  withoutInPlaceFields,
} from "@nereid/model-config";
import type { ModelSnapshot } from "@nereid/model-repository";
import type { Backend, Backends, SessionPlan } from "../backends/backend.ts";
import { planEngineCache } from "../backends/onnxruntime/engine-cache.ts";
import { checkEngines } from "../backends/onnxruntime/engine-files.ts";
import type { GpuSupport } from "../devices/detect-gpus.ts";
import { divideCores } from "../devices/divide-cores.ts";
import type { SessionSettings } from "../runner-protocol/messages.ts";
import { expandInstances } from "./expand-instances.ts";
import { HONOURED_FIELDS } from "./honoured-fields.ts";
import { diagnosticText, type ModelPlan, type PlanWarning, type VersionPlan, type VersionWork } from "./model-plan.ts";
import { readRunnerParameters } from "./runner-parameters.ts";

export interface PlanContext {
  readonly gpus: GpuSupport;
  readonly backends: Backends;
  readonly cores: number;
  readonly autoComplete: boolean;
  /** Default of a runner's memory limit; 0 = none. */
  readonly memoryLimitBytes: number;
  readonly executionTimeoutMs: number;
  /** Where TensorRT engines are kept that have no place of their own; absent: they are not kept then. */
  readonly engineDirectory?: string;
  /** What the server's configuration gives models that do not say it themselves. */
  readonly modelDefaults?: ReadonlyMap<string, ModelDefaults>;
  /** What a load has to say of a configuration on this server. */
  readonly warningsOf?: (config: ModelConfig) => readonly PlanWarning[];
}

/** The files could not even be understood: Triton answers such a load with INTERNAL, "failed to poll". */
export class PollFailure extends NereidError {
  constructor(model: string, why: string) {
    super("INTERNAL", `failed to load '${model}', failed to poll from model repository: ${why}`);
  }
}

/** The model was understood and cannot be served as configured; tells which versions that concerns. */
export class PlanFailure extends NereidError {
  readonly versions: readonly string[];

  constructor(message: string, versions: readonly string[]) {
    super("INVALID_ARGUMENT", message);
    this.versions = versions;
  }
}

export interface PlanChoices {
  /** JSON configuration of a load request, used instead of the file. */
  readonly config?: string;
  /** Versions chosen by hand; the version policy is not asked. */
  readonly versions?: readonly string[];
}

/**
 * Reads a model's files into a plan. Throws PollFailure for a configuration that cannot be read, PlanFailure for one that cannot be served.
 */
export function planModel(snapshot: ModelSnapshot, context: PlanContext, choices: PlanChoices = {}): ModelPlan {
  const file = basename(snapshot.configFile ?? "config.pbtxt");
  const read = readConfig(snapshot, context, choices.config);
  const filled = fillModelConfig(read.config, {
    directoryName: snapshot.name,
    versionEntries: [...snapshot.firstVersionEntries],
  });
  const available = snapshot.versions.map(({ version }) => version);
  const chosen =
    choices.versions === undefined
      ? selectVersions(filled.config.versionPolicy, available)
      : chooseVersions(choices.versions, available);
  const names = (chosen.selected.length > 0 ? chosen.selected : available).map(String);
  refuse(filled.diagnostics, file, names);
  const validation = {
    directoryName: snapshot.name,
    io: "required" as const,
    ...(read.document !== undefined && { document: read.document }),
    gpus: context.gpus.gpus,
    cudaBuild: context.gpus.cudaBuild,
  };
  refuse(
    validateModelConfig(filled.config, { ...validation, io: context.autoComplete ? "skip" : "required" }),
    file,
    names,
  );
  const isEnsemble = filled.config.platform === "ensemble";
  const backend = context.backends.get(filled.config.backend);
  if (!isEnsemble && backend === undefined) {
    const known = [...context.backends.keys()].sort().join(", ");
    const advice = read.warnings.find(({ code }) => code === "unknown-backend")?.message;
    throw new PlanFailure(
      `unable to find backend library for backend '${filled.config.backend}', try specifying runtime on the model configuration. ${advice ?? `This server has the backends ${known}; name one of them, or export the model to ONNX and write backend: "onnxruntime".`}`,
      names,
    );
  }
  const normalized = isEnsemble
    ? filled
    : normalizeInstanceGroups(filled.config, {
        gpus: context.gpus.gpus,
        cudaBuild: context.gpus.cudaBuild,
        modelName: snapshot.name,
      });
  refuse(normalized.diagnostics, file, names);
  if (chosen.selected.length === 0) {
    const text =
      choices.versions === undefined
        ? `at least one version must be available under the version policy of model '${snapshot.name}'`
        : `none of the chosen versions (${choices.versions.join(", ")}) of model '${snapshot.name}' exists; choose others or follow the version policy again`;
    throw new PlanFailure(text, []);
  }
  const runner = planRunner(normalized.config, { ...context, backend }, names);
  const versions = chosen.selected.map((version) =>
    planVersion(version, { snapshot, config: normalized.config, runner, backend, context }),
  );
  const warnings: PlanWarning[] = [
    ...read.warnings,
    ...notHonoured(read.config, HONOURED_FIELDS).map(({ code, message, path }) => ({
      code,
      message,
      ...(path !== undefined && { path }),
    })),
    ...runner.warnings,
    ...versions.flatMap(enginesWarning),
    ...(context.warningsOf?.(read.config) ?? []),
    ...snapshot.ignored.map(({ name, reason }) => ({
      code: "ignored-directory",
      message: `directory '${name}' is not a version: ${reason}`,
    })),
    ...chosen.missing.map((version) => ({
      code: "missing-version",
      message: `version ${version} ${choices.versions === undefined ? "of the version policy" : "was chosen and"} does not exist`,
      path: "version_policy",
    })),
  ];
  return { snapshot, config: normalized.config, validation, versions, warnings };
}

function chooseVersions(wanted: readonly string[], available: readonly bigint[]) {
  const numbers = [...new Set(wanted)].map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  return {
    selected: numbers.filter((version) => available.includes(version)),
    missing: numbers.filter((version) => !available.includes(version)),
  };
}

interface ReadConfig {
  readonly config: ModelConfig;
  readonly document: ReturnType<typeof parseModelConfig>["document"] | undefined;
  readonly warnings: readonly PlanWarning[];
}

function readConfig(snapshot: ModelSnapshot, context: PlanContext, override: string | undefined): ReadConfig {
  if (override !== undefined) {
    const { config, diagnostics } = modelConfigFromJson(override);
    if (config === undefined)
      throw new PollFailure(snapshot.name, diagnostics.map(({ message }) => message).join("; "));
    return { config, document: undefined, warnings: [] };
  }
  const file = basename(snapshot.configFile ?? "config.pbtxt");
  if (snapshot.configFile === undefined && !context.autoComplete) {
    throw new PollFailure(snapshot.name, `${file} is missing and auto-completion is off`);
  }
  const { config, document, diagnostics } = parseModelConfig(snapshot.configText, { file });
  if (config === undefined) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    throw new PollFailure(snapshot.name, errors.map((error) => withHelp(error, file)).join("; "));
  }
  const warnings: PlanWarning[] = diagnostics
    .filter(({ severity }) => severity !== "error")
    .map((warning) => ({
      code: warning.code,
      message: diagnosticText(warning, file),
      ...(warning.path !== undefined && { path: warning.path }),
    }));
  const defaults = context.modelDefaults?.get(snapshot.name);
  if (defaults === undefined) return { config, document, warnings };
  const given = new Set(document.fields.map(({ label }) => label));
  const completed = applyModelDefaults(config, defaults.config, given);
  const taken = changedFields(config, completed);
  if (taken.length > 0) {
    const message = `${taken.join(", ")}: taken from the model_config_list of the server's configuration (line ${defaults.line})`;
    warnings.push({ code: "server-defaults", message });
  }
  return { config: completed, document, warnings };
}

function withHelp(diagnostic: Diagnostic, file: string): string {
  const text = diagnosticText(diagnostic, file);
  return diagnostic.help === undefined ? text : `${text} (${diagnostic.help})`;
}

/** Most findings a refusal lists. */
const LISTED_FINDINGS = 5;

function refuse(diagnostics: readonly Diagnostic[], file: string, versions: readonly string[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const listed = errors.slice(0, LISTED_FINDINGS).map(({ message, help, line, column }) => {
    return `${message}${help === undefined ? "" : ` (${help})`} [${file}:${line}:${column}]`;
  });
  const more = errors.length > listed.length ? ` (and ${errors.length - listed.length} more)` : "";
  throw new PlanFailure(`${listed.join("; ")}${more}`, versions);
}

interface RunnerPlan {
  readonly session: SessionSettings;
  readonly instances: VersionPlan["instances"];
  readonly processorLimit: number | undefined;
  readonly memoryLimitBytes: number;
  readonly executionTimeoutMs: number;
  readonly autoComplete: boolean;
  readonly warnings: readonly PlanWarning[];
}

const PLAIN_SESSION: SessionPlan = {
  session: { executionProviders: [{ name: "cpu" }], graphOptimization: "all", extra: {} },
  warnings: [],
};

function planRunner(
  config: ModelConfig,
  context: PlanContext & { readonly backend: Backend | undefined },
  versions: readonly string[],
): RunnerPlan {
  try {
    const parameters = readRunnerParameters(config);
    const instances = expandInstances(config, context.gpus.gpus);
    const onCpu = instances.filter(({ kind }) => kind !== "KIND_GPU").length;
    const cores = Math.min(context.cores, parameters.processorLimit ?? context.cores);
    const share = divideCores(cores, Math.max(1, onCpu), parameters.intraOpThreads);
    const { backend, gpus } = context;
    const { session, warnings: ofSession } = backend?.planSession?.(config, { gpus, instances }) ?? PLAIN_SESSION;
    // Where the backend does not say what it reads, the model itself may read anything.
    const read = backend?.parameters;
    const warnings: PlanWarning[] = (read === undefined ? [] : parameters.unknown.filter((key) => !read.has(key))).map(
      (key) => ({
        code: "unknown-parameter",
        message: `parameter '${key}' is not read by this backend`,
        path: `parameters.${key}`,
      }),
    );
    warnings.push(...ofSession);
    if (share.oversubscribed !== undefined)
      warnings.push({ code: "cores-oversubscribed", message: share.oversubscribed, path: "instance_group" });
    return {
      session: {
        ...session,
        intraOpThreads: share.intraOpThreads,
        interOpThreads: parameters.interOpThreads,
        arena: parameters.arena,
        memoryPattern: parameters.memoryPattern,
      },
      instances,
      processorLimit: parameters.processorLimit,
      memoryLimitBytes: parameters.memoryLimitBytes ?? context.memoryLimitBytes,
      executionTimeoutMs: parameters.executionTimeoutMs ?? context.executionTimeoutMs,
      autoComplete: context.autoComplete,
      warnings,
    };
  } catch (error) {
    throw new PlanFailure(NereidError.from(error).message, versions);
  }
}

/**
 * What of the instances cannot change under a running process. Their number can, and the threads each has are kept then, although a
 * fresh load would divide the cores anew.
 */
function placementOf({ session, instances, memoryLimitBytes, executionTimeoutMs, processorLimit }: RunnerPlan) {
  const { intraOpThreads: _divided, ...fixed } = session;
  const onlyCpu = instances.every(({ kind }) => kind === "KIND_CPU");
  // What an instance is besides one more of them cannot change under it either.
  const traits = new Set(
    instances.map(({ rateLimit, hostPolicy, passive }) => JSON.stringify({ rateLimit, hostPolicy, passive })),
  );
  return {
    session: fixed,
    memoryLimitBytes,
    executionTimeoutMs,
    processorLimit,
    instances: onlyCpu ? ["cpu", ...[...traits].sort()] : instances,
  };
}

/** The file below the version directory; undefined when it is not there, is of another kind, or would lie outside. */
function modelFile(directory: string, name: string, backend: Backend | undefined): string | undefined {
  const file = resolve(directory, name);
  const inside = file.startsWith(resolve(directory) + sep) && !name.includes("\0");
  const found = inside ? statSync(file, { throwIfNoEntry: false }) : undefined;
  const fits = found?.isFile() === true || (backend?.takesDirectory === true && found?.isDirectory() === true);
  return fits ? file : undefined;
}

interface VersionParts {
  readonly snapshot: ModelSnapshot;
  readonly config: ModelConfig;
  readonly runner: RunnerPlan;
  readonly backend: Backend | undefined;
  readonly context: PlanContext;
}

function enginesWarning({ version, work }: VersionPlan): readonly PlanWarning[] {
  const why = work.kind === "runner" && work.engines !== undefined ? checkEngines(work.engines) : undefined;
  if (why === undefined) return [];
  const message = `the TensorRT engines kept for version ${version} do not fit any more (${why}): they are removed and built anew, which makes the load slower`;
  return [{ code: "engines-rebuilt", message, path: "optimization.execution_accelerators" }];
}

function planVersion(version: bigint, model: VersionParts): VersionPlan {
  const { snapshot, config, runner } = model;
  const found = snapshot.versions.find((candidate) => candidate.version === version);
  const directory = found?.directory ?? join(snapshot.directory, String(version));
  const key = createHash("sha256")
    .update(found?.fingerprint ?? "")
    .update(printModelConfig(withoutInPlaceFields(config)))
    .update(JSON.stringify(placementOf(runner)))
    .digest("hex");
  return {
    version: String(version),
    directory,
    fingerprint: found?.fingerprint ?? "",
    key,
    work: config.platform === "ensemble" ? { kind: "ensemble" } : runnerWork(version, { ...model, directory }),
    instances: runner.instances,
    executionTimeoutMs: runner.executionTimeoutMs,
  };
}

function runnerWork(version: bigint, model: VersionParts & { readonly directory: string }): VersionWork {
  const { snapshot, config, runner, directory, backend, context } = model;
  const named = config.defaultModelFilename;
  const names = named === "" ? (backend?.modelFiles ?? []) : [named];
  const file = names.flatMap((name) => modelFile(directory, name, backend) ?? []).at(0);
  if (file === undefined) {
    throw new PlanFailure(
      `unable to find '${names.join("' or '")}' in version directory ${version} of model '${snapshot.name}'; default_model_filename must name a file inside the version directory`,
      [String(version)],
    );
  }
  const { instances } = runner;
  const subject = {
    config,
    version: String(version),
    modelDirectory: snapshot.directory,
    versionDirectory: directory,
    file,
    instances,
  };
  const program = backend?.program;
  const engines =
    context.engineDirectory === undefined
      ? undefined
      : planEngineCache(runner.session.executionProviders, {
          cacheDirectory: context.engineDirectory,
          model: config.name,
          modelDirectory: snapshot.directory,
          version: String(version),
          fingerprint: snapshot.versions.find((candidate) => candidate.version === version)?.fingerprint ?? "",
          gpus: context.gpus,
        });
  return {
    kind: "runner",
    ...(engines && { engines: engines.cache }),
    ...(program && { program: () => program(subject) }),
    ...(runner.processorLimit !== undefined && { processorLimit: runner.processorLimit }),
    load: {
      file,
      session: engines === undefined ? runner.session : { ...runner.session, executionProviders: engines.providers },
      devices: instances.map(({ kind, device }) => (kind === "KIND_GPU" ? device : null)),
      memoryLimitBytes: runner.memoryLimitBytes,
      backend: config.backend,
      model: {
        name: config.name,
        version: String(version),
        directory: snapshot.directory,
        config: JSON.stringify(modelConfigToJson(config)),
        instances: instances.map(({ name, kind, device }) => ({ name, kind, device })),
        autoComplete: runner.autoComplete,
      },
    },
  };
}
