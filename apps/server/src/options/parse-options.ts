import { readFileSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { readPythonSettings } from "@nereid/python-runner";
import { defaultMaxBatchSize, parseBackendConfig } from "./backend-config.ts";
import { parseCacheOptions } from "./cache-options.ts";
import { checkVendorFlags } from "./check-vendor-flags.ts";
import { FLAGS } from "./flag-table.ts";
import { parseForwardPattern } from "./forward-pattern.ts";
import { bad, GivenFlags } from "./given-flags.ts";
import { parseGrpcOptions } from "./grpc-options.ts";
import { parseHostPolicies } from "./host-policy-options.ts";
import { parseLoadingOptions } from "./loading-options.ts";
import { parseLogOptions } from "./log-options.ts";
import { parseMetricsConfig } from "./metrics-config.ts";
import { parseQueueOptions } from "./queue-options.ts";
import { parseRateLimit } from "./rate-limit-options.ts";
import { parseRestrictedApis } from "./restricted-apis.ts";
import { parseSandboxOptions } from "./sandbox-options.ts";
import { type ReadText, readServerConfig } from "./server-config.ts";
import type { ControlMode, OptionNotice, ServerOptions } from "./server-options.ts";
import { parseTlsOptions } from "./tls-options.ts";
import { parseTraceOptions } from "./trace-options.ts";
import { parseWarmUpBatchSizes } from "./warm-up-options.ts";

export type ParsedCommandLine =
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "run"; readonly options: ServerOptions };

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_MAX_INPUT = 67_108_864;
const LONGEST_SECS = 2_000_000;
const MOST_FLIGHTS = 1_000_000;

/**
 * Reads the command line (`--x=v` or `--x v`, Triton's options and ours) and the server configuration files it leads to. `env`
 * gives defaults for the ports and secrets: NEREID_HTTP_PORT, NEREID_METRICS_PORT, NEREID_MODEL_REPOSITORY, NEREID_STATE_DIR,
 * NEREID_MANAGEMENT_KEY, and Triton's of the Redis cache. Throws INVALID_ARGUMENT naming the option, what it got and what it takes.
 */
export function parseOptions(
  args: readonly string[],
  env: Environment,
  read: ReadText = readIfPresent,
): ParsedCommandLine {
  const given = new GivenFlags(args);
  if (given.has("help")) return { kind: "help", text: usage() };
  const options = build(given, env, read);
  check(options, given);
  return { kind: "run", options };
}

function build(given: GivenFlags, env: Environment, read: ReadText): ServerOptions {
  const httpAddress = given.text("http-address") ?? "127.0.0.1";
  const modelRepositories = repositories(given, env);
  const serverConfig = readServerConfig({ file: given.text("server-config"), repositories: modelRepositories }, read);
  const backendConfig = parseBackendConfig(given.all("backend-config"), serverConfig.backends);
  const python = readPythonSettings(backendConfig.get("python"));
  const complete = !(given.boolean("disable-auto-complete-config") ?? given.boolean("strict-model-config") ?? false);
  const { cache, notices: cacheNotices } = parseCacheOptions(given, env);
  const { rateLimit, notices: rateNotices } = parseRateLimit(given);
  return {
    id: given.text("id") ?? "triton",
    modelRepositories,
    controlMode: controlMode(given.text("model-control-mode")),
    loadModels: given.all("load-model"),
    pollSecs: given.whole("repository-poll-secs", { min: 1, max: LONGEST_SECS }) ?? 15,
    exitOnError: given.boolean("exit-on-error") ?? true,
    exitTimeoutSecs: given.whole("exit-timeout-secs", { min: 0, max: LONGEST_SECS }) ?? 30,
    strictReadiness: given.boolean("strict-readiness") ?? true,
    autoComplete: complete,
    modelConfigName: given.text("model-config-name") ?? "",
    loadThreadCount: Math.max(1, given.whole("model-load-thread-count", { min: 0 }) ?? 4),
    loadRetryCount: given.whole("model-load-retry-count", { min: 0 }) ?? 0,
    namespacing: given.boolean("model-namespacing") ?? false,
    backendConfig,
    python,
    modelDefaults: serverConfig.models,
    defaultMaxBatchSize: defaultMaxBatchSize(backendConfig, "onnxruntime"),
    allowHttp: given.boolean("allow-http") ?? true,
    httpAddress,
    httpPort: given.port("http-port") ?? port(env["NEREID_HTTP_PORT"], "NEREID_HTTP_PORT") ?? 8000,
    httpMaxInputSize: given.whole("http-max-input-size", { min: 1 }) ?? DEFAULT_MAX_INPUT,
    restrictedApis: parseRestrictedApis("http-restricted-api", given.all("http-restricted-api")),
    httpForwardPattern: parseForwardPattern("http-header-forward-pattern", given.text("http-header-forward-pattern")),
    httpTls: parseTlsOptions(given, "http"),
    allowOpenai: given.boolean("allow-openai") ?? true,
    allowClientShm: given.boolean("allow-client-shm") ?? false,
    grpc: parseGrpcOptions(given, { env, httpAddress }),
    trace: parseTraceOptions(given),
    log: parseLogOptions(given),
    allowMetrics: given.boolean("allow-metrics") ?? true,
    metricsConfig: parseMetricsConfig(given),
    allowGpuMetrics: given.boolean("allow-gpu-metrics") ?? true,
    allowCpuMetrics: given.boolean("allow-cpu-metrics") ?? true,
    metricsAddress: given.text("metrics-address") ?? httpAddress,
    metricsPort: given.port("metrics-port") ?? port(env["NEREID_METRICS_PORT"], "NEREID_METRICS_PORT") ?? 8002,
    metricsIntervalMs: given.whole("metrics-interval-ms", { min: 1, max: 2 ** 31 - 1 }) ?? 2000,
    stateDirectory: given.text("state-dir") ?? env["NEREID_STATE_DIR"],
    managementKey: given.text("management-key") ?? env["NEREID_MANAGEMENT_KEY"],
    allowAnonymousManagement: given.boolean("allow-anonymous-management") ?? false,
    allowedHosts: given.all("allowed-host"),
    runnerMemoryLimitBytes: given.whole("runner-memory-limit-bytes", { min: 0 }),
    executionTimeoutSecs: given.whole("execution-timeout-secs", { min: 0, max: LONGEST_SECS }) ?? 300,
    cache,
    rateLimit,
    hostPolicies: parseHostPolicies(given),
    queues: parseQueueOptions(given),
    warmUpBatchSizes: parseWarmUpBatchSizes(given),
    flights: {
      records: given.whole("flight-records", { min: 0, max: MOST_FLIGHTS }) ?? 4096,
      sampleEvery: given.whole("flight-sample", { min: 0 }) ?? 100,
    },
    sandbox: parseSandboxOptions(given),
    loading: parseLoadingOptions(given, controlMode(given.text("model-control-mode"))),
    notices: [
      ...checkVendorFlags(given),
      ...cacheNotices,
      ...rateNotices,
      ...serverConfig.notices,
      ...backendNotices(python.notices),
    ],
  };
}

function backendNotices(texts: readonly string[]): readonly OptionNotice[] {
  return texts.map((text) => ({ option: "--backend-config", text }));
}

function check(options: ServerOptions, given: GivenFlags): void {
  if (options.modelRepositories.length === 0)
    throw bad("model-repository", "at least one model repository is needed: --model-repository=<directory>");
  if (given.has("load-model") && options.controlMode !== "explicit") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      "Error: Use of '--load-model' requires setting '--model-control-mode=explicit' as well.",
    );
  }
  if (options.loadModels.includes("*") && options.loadModels.length > 1) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      "Wildcard model name '*' must be the ONLY startup model if specified at all.",
    );
  }
  checkPorts(options);
  checkAddress(options);
}

function checkPorts({ allowHttp, httpPort, grpc, allowMetrics, metricsPort }: ServerOptions): void {
  const taken = new Map<number, string>();
  const endpoints = [
    { name: "http-port", on: allowHttp, port: httpPort },
    { name: "grpc-port", on: grpc.allow, port: grpc.port },
    { name: "metrics-port", on: allowMetrics, port: metricsPort },
  ];
  for (const endpoint of endpoints) {
    if (!endpoint.on || endpoint.port === 0) continue;
    const other = taken.get(endpoint.port);
    if (other !== undefined)
      throw bad(endpoint.name, `port ${endpoint.port} is also that of --${other}; ports must differ`);
    taken.set(endpoint.port, endpoint.name);
  }
}

/** Both front ends have the repository calls. */
function checkAddress({ allowHttp, httpAddress, grpc, managementKey, allowAnonymousManagement }: ServerOptions): void {
  if (managementKey !== undefined || allowAnonymousManagement) return;
  const wide = (name: string, address: string) =>
    bad(
      name,
      `bound to ${address}, anyone could load and unload models; give --management-key=<secret>, or --allow-anonymous-management=true if that is wanted`,
    );
  if (allowHttp && !isLoopback(httpAddress)) throw wide("http-address", httpAddress);
  if (grpc.allow && !isLoopback(grpc.address)) throw wide("grpc-address", grpc.address);
}

/** Whether only this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}

function repositories(given: GivenFlags, env: Environment): readonly string[] {
  const named = [...given.all("model-repository"), ...given.all("model-store")];
  const fromEnv = env["NEREID_MODEL_REPOSITORY"];
  const all = named.length > 0 || fromEnv === undefined ? named : [fromEnv];
  for (const place of all) {
    if (place === "") throw bad("model-repository", "it names no directory: --model-repository=<directory>");
    if (/^(?:s3|gs|as):\/\//.test(place))
      throw bad(
        "model-repository",
        `${place} is in a cloud; this server reads local directories: copy or mount it first`,
      );
  }
  return all;
}

function controlMode(text: string | undefined): ControlMode {
  const mode = (text ?? "none").toLowerCase();
  if (mode === "none" || mode === "explicit" || mode === "poll") return mode;
  throw bad("model-control-mode", `expected none, explicit or poll, got "${text}"`);
}

function port(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new NereidError("INVALID_ARGUMENT", `${name} must be a port number, got "${text}"`);
  return Number(text);
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function usage(): string {
  const lines = Object.entries(FLAGS).map(([name, { kind, help, noEffect, deprecated }]) => {
    const note = noEffect === undefined ? "" : ` (accepted without effect: ${noEffect})`;
    const old = deprecated === undefined ? "" : ` (deprecated: ${deprecated})`;
    return `  --${name}${kind === "switch" ? "" : "=<value>"}\n      ${help}${note}${old}`;
  });
  return `nereid-server: serves models over the V2 inference protocol\n\n${lines.join("\n")}\n`;
}
