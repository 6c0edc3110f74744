import { chmodSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import {
  availableCores,
  availableMemoryBytes,
  backendsWith,
  Candidates,
  checkReach,
  checkSandbox,
  createBinder,
  createWarmUp,
  detectGpus,
  FlightRecorder,
  findLoadPriority,
  freeMemoryBytes,
  type LoaderContext,
  limiterOffWarning,
  lowerWhileLoading,
  ModelManager,
  missingCacheWarning,
  OnDemand,
  onnxruntimeBackend,
  openCache,
  type PlanContext,
  PollLoop,
  RateLimiter,
  readRssBytes,
  removeLeftCandidates,
  Semaphore,
  sortedVersions,
  systemClock,
} from "@nereid/inference-worker";
import { llamacppBackend } from "@nereid/llama-runner";
import { KeyedTurns, LocalRepository } from "@nereid/model-repository";
import { programFinder, pythonBackends, pythonOnnxEngine } from "@nereid/python-runner";
import { CustomMetrics, SecondBuckets } from "@nereid/telemetry";
import type { Logger } from "pino";
import { recoverConfigs } from "./config/config-intents.ts";
import { createDrafts } from "./drafts/create-drafts.ts";
import { readEnv } from "./env.ts";
import { listenGrpc } from "./grpc/listen-grpc.ts";
import { useOfCandidate } from "./handlers/candidates.ts";
import { BodyBudget } from "./http/body-budget.ts";
import { handleRequest } from "./http/handle-request.ts";
import { type Listener, listen } from "./http/listen.ts";
import { tlsOptions } from "./http/tls.ts";
import { createModelCalls } from "./inference/model-calls.ts";
import { AccessLog } from "./logging/access-log.ts";
import {
  logAccess,
  logFailure,
  logInstanceEvent,
  logModelEvent,
  logRunnerEvent,
  logRunnerLine,
} from "./logging/log-model-news.ts";
import { LogSettings } from "./logging/log-settings.ts";
import { ModelLogs } from "./logging/model-logs.ts";
import { NodeSensor } from "./metrics/node-sensor.ts";
import { ServerTraffic } from "./metrics/server-traffic.ts";
import { startMetrics } from "./metrics/start-metrics.ts";
import { statisticsOptions } from "./metrics/statistics-options.ts";
import type { ServerOptions } from "./options/server-options.ts";
import { checkRepositories } from "./process/check-repositories.ts";
import type { Closer } from "./process/closer.ts";
import { Draining } from "./process/draining.ts";
import { createRuntimeDirectory } from "./process/runtime-directory.ts";
import { Profiles } from "./profiling/profile-model.ts";
import type { ServerContext } from "./server-context.ts";
import { Shadows } from "./shadow/shadows.ts";
import { SharedMemory } from "./shared-memory/shared-memory.ts";
import { DesiredState, modelsToLoad } from "./state/desired-state.ts";
import { EventLog } from "./state/event-log.ts";
import { LoadLedger } from "./state/load-ledger.ts";
import { RunnerEvents } from "./state/runner-events.ts";
import { servingWatch } from "./state/serving-watch.ts";
import { TraceSettings } from "./tracing/trace-settings.ts";
import { Tracer } from "./tracing/tracer.ts";

const RUNNER_SHARE_OF_MEMORY = 0.8;
const MOST_BODY_BYTES = 2 ** 31;
const SWEEP_MS = 5_000;
const IDLE_SWEEP_MS = 1_000;
const TICK_MS = 250;
/** Version of the protocol's reference server whose behaviour this one follows. */
const VERSION = "2.73.0";

/** Readiness turns false before anything is closed. */
function markExiting(context: ServerContext): void {
  context.phase = "exiting";
}

/** Builds the server from its options, loads the initial models, then listens. The closer learns how to take it apart. */
export async function startServer(
  options: ServerOptions,
  parts: { readonly log: Logger; readonly closer: Closer },
): Promise<ServerContext> {
  const { log, closer } = parts;
  checkRepositories(options.modelRepositories);
  const runtime = createRuntimeDirectory();
  const context = createContext(options, { log, runtime });
  const polling = createPollLoop(context, log);
  const listeners: Listener[] = [];
  const timers: NodeJS.Timeout[] = [];
  // Known to the closer before the first model loads: a server that is stopped while it starts leaves nothing behind either.
  closer.add({ name: "readiness", close: () => markExiting(context) });
  closer.add({ name: "polling", close: () => polling.close() });
  closer.add({
    name: "models and listeners",
    close: async () => {
      // Probes may ask, and clients are told to go elsewhere, until the last accepted request is answered.
      await context.manager.close(options.exitTimeoutSecs * 1000);
      const closed = listeners.map((listener) => listener.close());
      // A kept-alive connection must not hold up the exit.
      await Promise.race([Promise.all(closed), new Promise((resolve) => setTimeout(resolve, 500))]);
    },
  });
  closer.add({ name: "candidates", close: () => context.candidates.close() });
  closer.add({ name: "traces", close: () => context.tracer.close() });
  closer.add({
    name: "timers and files",
    close: async () => {
      await context.loader.shared.cache?.close();
      context.sharedMemory.close();
      for (const timer of timers) clearInterval(timer);
      context.node.close();
      runtime.remove();
    },
  });
  try {
    await recoverRepositories(context, log);
    await loadInitialModels(context, { log, polling });
    timers.push(setInterval(() => context.buckets.tick(context.clock.wallMs()), TICK_MS));
    timers.push(setInterval(() => context.manager.sweep(), SWEEP_MS));
    timers.push(setInterval(() => context.candidates.sweep(), IDLE_SWEEP_MS));
    if (context.onDemand !== undefined) timers.push(setInterval(() => context.onDemand?.sweep(), IDLE_SWEEP_MS));
    if (!closer.closing) context.phase = "ready";
    listeners.push(...(await openListeners(context, log)));
    return context;
  } catch (error) {
    polling.close();
    await context.manager.close(0);
    runtime.remove();
    throw error;
  }
}

function createPollLoop({ manager, repository, options }: ServerContext, log: Logger): PollLoop {
  return new PollLoop({
    manager,
    repository,
    intervalMs: options.pollSecs * 1000,
    clock: systemClock,
    log: (event, about) => log.warn(about, event),
  });
}

function createContext(
  options: ServerOptions,
  parts: { readonly log: Logger; readonly runtime: ReturnType<typeof createRuntimeDirectory> },
): ServerContext {
  const { log, runtime } = parts;
  const repository = new LocalRepository(
    options.modelRepositories,
    options.modelConfigName === "" ? {} : { configName: options.modelConfigName },
  );
  const logs = new ModelLogs({ nowMs: () => systemClock.wallMs() });
  const loads = new LoadLedger();
  const cores = availableCores();
  const gpus = detectGpus();
  const node = new NodeSensor({
    gpus: options.allowGpuMetrics && gpus.gpus.length > 0,
    gpuIntervalMs: options.metricsIntervalMs,
    runners: () => manager.entries.flatMap((entry) => sortedVersions(entry).flatMap(({ served }) => served?.pid ?? [])),
    rssOf: readRssBytes,
  });
  const buckets = new SecondBuckets({ readNode: () => node.read() });
  const require = createRequire(import.meta.url);
  const findPython = programFinder({
    main: () => require.resolve("@nereid/python-runner/main"),
    settings: options.python,
    cacheDirectory: join(options.stateDirectory ?? runtime.path, "python-environments"),
    environment: readEnv(),
  });
  const plan: PlanContext = {
    gpus,
    backends: backendsWith([
      onnxruntimeBackend(pythonOnnxEngine(findPython)),
      ...pythonBackends(findPython),
      llamacppBackend({
        runner: () => require.resolve("@nereid/llama-runner/runner"),
        moduleDirectory: options.backendConfig.get("llamacpp")?.get("module-directory"),
      }),
    ]),
    cores,
    autoComplete: options.autoComplete,
    memoryLimitBytes: options.runnerMemoryLimitBytes ?? Math.floor(availableMemoryBytes() * RUNNER_SHARE_OF_MEMORY),
    executionTimeoutMs: options.executionTimeoutSecs * 1000,
    // Another user, as whom models run, cannot come into the server's own directories.
    ...(options.sandbox.user === undefined && {
      engineDirectory: join(options.stateDirectory ?? runtime.path, "tensorrt-engines"),
    }),
    modelDefaults: options.modelDefaults,
    warningsOf: (config) => [
      ...(options.cache === undefined ? missingCacheWarning(config) : []),
      ...(options.rateLimit === undefined ? limiterOffWarning(config) : []),
    ],
  };
  const runnerEvents = new RunnerEvents();
  const events = new EventLog(() => systemClock.wallMs());
  const priority = options.loading.priority === "normal" ? "none" : findLoadPriority();
  const gentleWhile = options.loading.priority === "gentle" ? servingWatch(() => manager, systemClock) : undefined;
  const flights = new FlightRecorder({ capacity: options.flights.records, sampleEvery: options.flights.sampleEvery });
  const cache = options.cache && openCache(options.cache, (text) => log.warn(text));
  const rateLimiter = options.rateLimit && new RateLimiter(options.rateLimit.resources);
  checkSandbox(options.sandbox, process.getuid?.() === 0);
  // The runners' user must find their sockets there, and nothing else.
  if (options.sandbox.user !== undefined) chmodSync(runtime.path, 0o711);
  checkReach(options.sandbox, runtime.path);
  const customMetrics = new CustomMetrics();
  const calls = createModelCalls({ context: () => context, metrics: customMetrics, log, logs });
  const loader: LoaderContext = {
    host: {
      calls,
      command: {
        program: process.execPath,
        args: ["--max-semi-space-size=1", require.resolve("@nereid/inference-worker/runner")],
      },
      socketDirectory: runtime.path,
      shmDirectory: runtime.shm,
      clock: systemClock,
      sandbox: options.sandbox,
      lowerWhileLoading: (pid, isConnected) =>
        // Stopped before it would end with the server, it would outlive it.
        lowerWhileLoading(pid, priority, gentleWhile && (() => isConnected() && gentleWhile())),
      log: (line, about) => {
        logRunnerLine(logs, line, about.runner);
        log.debug(about, line);
      },
    },
    buckets,
    slots: new Semaphore(options.loadThreadCount),
    autoComplete: options.autoComplete,
    defaultMaxBatchSize: options.defaultMaxBatchSize,
    retries: options.loadRetryCount,
    statisticsOf: (config) => statisticsOptions(options.metricsConfig, config, cache !== undefined),
    onRunnerEvent: (model, version, event) => {
      runnerEvents.add(systemClock.wallMs(), { model, version }, event);
      events.runner({ model, version }, event);
      logRunnerEvent(logs, { model, version }, event);
      log.warn({ model, version, ...event }, `runner ${event.kind}`);
    },
    onInstanceEvent: (model, version, event) => {
      events.instance({ model, version }, event);
      logInstanceEvent(logs, { model, version }, event);
      log.info({ model, version, ...event }, event.kind);
    },
    shared: {
      flights: options.flights.records > 0 ? flights : undefined,
      cache,
      rateLimiter,
      overloadCode: options.queues.overloadCode,
      onFailed: (failure) => logFailure(logs, failure),
    },
    admission: options.queues.admission,
    warmUpOf: ({ config, snapshot }, { version, executionTimeoutMs }) =>
      createWarmUp({
        config,
        directory: snapshot.directory,
        batchSizes: options.warmUpBatchSizes,
        executionTimeoutMs,
        clock: systemClock,
        log: (text) => log.debug({ model: config.name, version }, text),
      }),
    bindRunner: createBinder(options.hostPolicies, (text, about) => log.warn(about, text)),
    resolve: (model, version, choice) => manager.resolve(model, version, choice),
  };
  const desired = new DesiredState(options.stateDirectory, (text) => log.error(text));
  const withheld = (model: string) => desired.models.unloaded.includes(model);
  const servedOf = (model: string) =>
    [...(manager.entry(model)?.versions.values() ?? [])].flatMap(({ served }) => served ?? []);
  const manager = new ModelManager({
    repository,
    overrideDirectory: runtime.path,
    namespacing: options.namespacing,
    plan,
    loader,
    drainMs: options.exitTimeoutSecs * 1000,
    traffic: desired.traffic,
    memory: { budgetBytes: options.loading.memoryBudgetBytes, freeBytes: freeMemoryBytes },
    withheld,
    ...(options.controlMode === "explicit" && { pinOf: (model: string) => desired.pinOf(model) }),
    onEvent: (event) => {
      events.model(event);
      logModelEvent(logs, event);
      if (event.kind === "load-finished") loads.loaded(event.model, servedOf(event.model), systemClock.wallMs());
    },
    log: (event, about) => log.info(about, event),
  });
  const onDemand =
    options.loading.onDemand &&
    new OnDemand({
      manager,
      exists: async (model) => (await repository.find(model))?.kind === "unique",
      withheld,
      pinOf: (model) => desired.pinOf(model),
      waitMs: options.loading.onDemand.waitSecs * 1000,
      idleMs: options.loading.onDemand.idleSecs * 1000,
      clock: systemClock,
    });
  const shadows = new Shadows({ manager, clock: systemClock });
  const candidates = new Candidates({
    manager,
    repository,
    directory: runtime.path,
    clock: systemClock,
    useOf: (name, of) => useOfCandidate({ manager, shadows }, name, of),
  });
  const turns = new KeyedTurns();
  const traceSettings = new TraceSettings(options.trace, {
    knows: (model) => (manager.entry(model)?.versions.size ?? 0) > 0,
  });
  const clock = systemClock;
  log.info({ cores, gpus: gpus.gpus.length, cudaBuild: gpus.cudaBuild, loadPriority: priority }, "devices");
  const context: ServerContext = {
    options,
    manager,
    candidates,
    shadows,
    plan,
    loader,
    repository,
    buckets,
    desired,
    turns,
    runnerEvents,
    events,
    logs,
    loads,
    node,
    onDemand,
    flights,
    customMetrics,
    drafts: createDrafts({ options, repository, manager, plan, loader, desired, turns, clock, log }),
    profiles: new Profiles(runtime.path),
    bodies: new BodyBudget(Math.min(MOST_BODY_BYTES, availableMemoryBytes() / 4)),
    sharedMemory: new SharedMemory({ allowed: options.allowClientShm }),
    traceSettings,
    tracer: new Tracer({ settings: traceSettings, options: options.trace, log: (text) => log.error(text) }),
    logSettings: new LogSettings(options.log, log),
    traffic: new ServerTraffic(),
    accessLog: options.log.access ? new AccessLog(log, (entry) => logAccess(logs, entry)) : undefined,
    clock,
    version: VERSION,
    startedAtMs: systemClock.wallMs(),
    cores,
    ports: { http: 0, grpc: 0, metrics: 0 },
    draining: new Draining(),
    phase: "starting",
  };
  return context;
}

/** Ends what a server that was killed had begun to publish or to change, before any model is read. */
async function recoverRepositories({ repository, drafts }: ServerContext, log: Logger): Promise<void> {
  await drafts.start();
  await removeLeftCandidates(repository.roots);
  const undone = await recoverConfigs(repository, (text) => log.error(text));
  if (undone.length > 0) log.warn({ models: undone }, "unfinished configuration changes were undone");
}

/** Loads what the control mode asks for. With `exitOnError` a failure ends the start, as in Triton. */
async function loadInitialModels(
  context: ServerContext,
  { log, polling }: { readonly log: Logger; readonly polling: PollLoop },
): Promise<void> {
  const { options, repository } = context;
  let failures: readonly NereidError[];
  if (options.controlMode === "explicit") {
    const all = (await repository.list()).map(({ name }) => name);
    const startup = options.loadModels.includes("*") ? all : options.loadModels;
    failures = await loadEach(context, modelsToLoad(startup, context.desired.models));
  } else {
    failures = await polling.loadAll();
    if (options.controlMode === "poll") polling.start();
  }
  if (failures.length === 0) return;
  for (const { message } of failures) log.error({ error: message.trimEnd() }, "initial model failed to load");
  if (options.exitOnError)
    throw new NereidError(
      "INTERNAL",
      `failed to load all models: ${failures.map(({ message }) => message.trimEnd()).join("; ")}`,
    );
}

async function loadEach(context: ServerContext, names: readonly string[]): Promise<readonly NereidError[]> {
  const failures: NereidError[] = [];
  await Promise.all(
    names.map(async (name) => {
      try {
        const versions = context.desired.pinOf(name);
        await context.manager.load(name, versions === undefined ? {} : { versions });
      } catch (error) {
        failures.push(NereidError.from(error));
      }
    }),
  );
  return failures;
}

async function openListeners(context: ServerContext, log: Logger) {
  const { options } = context;
  const listeners = [];
  if (options.allowMetrics) {
    for (const problem of options.metricsConfig.problems) log.error(problem);
    const metrics = await startMetrics(context);
    context.ports.metrics = metrics.port;
    listeners.push(metrics);
  }
  if (options.allowHttp) {
    const http = await listen({
      address: options.httpAddress,
      port: options.httpPort,
      option: "http-port",
      handler: (request, response) => void handleRequest(context, request, response),
      onConnection: (change) => context.traffic[change]("http"),
      tls: options.httpTls && tlsOptions(options.httpTls, "http"),
    });
    context.ports.http = http.port;
    listeners.push(http);
  }
  if (options.grpc.allow) {
    const grpc = await listenGrpc(context);
    context.ports.grpc = grpc.port;
    listeners.push(grpc);
  }
  return listeners;
}
