import { NereidError } from "@nereid/errors";
import { FLAGS } from "./flag-table.ts";
import type { ControlMode, ServerOptions } from "./server-options.ts";

export type ParsedCommandLine =
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "run"; readonly options: ServerOptions };

const DEFAULT_MAX_INPUT = 67_108_864;

/**
 * Reads the command line (`--x=v` or `--x v`, Triton's options and ours). `env` gives defaults for the ports and secrets:
 * NEREID_HTTP_PORT, NEREID_METRICS_PORT, NEREID_MODEL_REPOSITORY, NEREID_STATE_DIR, NEREID_MANAGEMENT_KEY. Throws
 * INVALID_ARGUMENT naming the option, what it got and what it takes.
 */
export function parseOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedCommandLine {
  const given = new GivenFlags(args);
  if (given.has("help")) return { kind: "help", text: usage() };
  const options = build(given, env);
  check(options, given);
  return { kind: "run", options };
}

function build(given: GivenFlags, env: Readonly<Record<string, string | undefined>>): ServerOptions {
  const httpAddress = given.text("http-address") ?? "127.0.0.1";
  const repositories = [...given.all("model-repository"), ...given.all("model-store")];
  const fromEnv = env["NEREID_MODEL_REPOSITORY"];
  const timeout = given.whole("execution-timeout-secs");
  return {
    id: given.text("id") ?? "triton",
    modelRepositories: repositories.length > 0 || fromEnv === undefined ? repositories : [fromEnv],
    controlMode: controlMode(given.text("model-control-mode")),
    loadModels: given.all("load-model"),
    pollSecs: given.whole("repository-poll-secs") ?? 15,
    exitOnError: given.boolean("exit-on-error") ?? true,
    exitTimeoutSecs: given.whole("exit-timeout-secs") ?? 30,
    strictReadiness: given.boolean("strict-readiness") ?? true,
    autoComplete: !given.has("disable-auto-complete-config"),
    modelConfigName: given.text("model-config-name") ?? "",
    loadThreadCount: Math.max(1, given.whole("model-load-thread-count") ?? 4),
    loadRetryCount: given.whole("model-load-retry-count") ?? 0,
    defaultMaxBatchSize: defaultMaxBatchSize(given.all("backend-config")),
    allowHttp: given.boolean("allow-http") ?? true,
    httpAddress,
    httpPort: given.whole("http-port") ?? port(env["NEREID_HTTP_PORT"], "NEREID_HTTP_PORT") ?? 8000,
    httpMaxInputSize: given.whole("http-max-input-size") ?? DEFAULT_MAX_INPUT,
    restrictedApis: given.all("http-restricted-api").map(restrictedApi),
    allowMetrics: given.boolean("allow-metrics") ?? true,
    allowCpuMetrics: given.boolean("allow-cpu-metrics") ?? true,
    metricsAddress: given.text("metrics-address") ?? httpAddress,
    metricsPort: given.whole("metrics-port") ?? port(env["NEREID_METRICS_PORT"], "NEREID_METRICS_PORT") ?? 8002,
    metricsIntervalMs: given.whole("metrics-interval-ms") ?? 2000,
    logInfo: given.boolean("log-info") ?? true,
    logWarning: given.boolean("log-warning") ?? true,
    logError: given.boolean("log-error") ?? true,
    logVerbose: verbosity(given.text("log-verbose")),
    stateDirectory: given.text("state-dir") ?? env["NEREID_STATE_DIR"],
    managementKey: given.text("management-key") ?? env["NEREID_MANAGEMENT_KEY"],
    allowAnonymousManagement: given.boolean("allow-anonymous-management") ?? false,
    allowedHosts: given.all("allowed-host"),
    runnerMemoryLimitBytes: given.whole("runner-memory-limit-bytes"),
    executionTimeoutSecs: timeout ?? 300,
    notHonoured: given.names().filter((name) => FLAGS[name]?.ignored === true),
  };
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
  if (options.httpMaxInputSize <= 0) throw bad("http-max-input-size", "must be above 0");
  if (options.allowHttp && options.allowMetrics && options.httpPort === options.metricsPort && options.httpPort !== 0) {
    throw bad("metrics-port", `port ${options.metricsPort} is also the HTTP port; ports must differ`);
  }
  const wide = !isLoopback(options.httpAddress);
  if (options.allowHttp && wide && options.managementKey === undefined && !options.allowAnonymousManagement) {
    throw bad(
      "http-address",
      `bound to ${options.httpAddress}, anyone could load and unload models; give --management-key=<secret>, or --allow-anonymous-management=true if that is wanted`,
    );
  }
}

/** Whether only this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}

class GivenFlags {
  readonly #values = new Map<string, string[]>();

  constructor(args: readonly string[]) {
    for (let index = 0; index < args.length; index++) {
      const argument = args[index] ?? "";
      const match = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(argument);
      const name = match?.[1] ?? "";
      const flag = FLAGS[name];
      if (match === null || flag === undefined)
        throw new NereidError("INVALID_ARGUMENT", `Unrecognized option: "${argument}". Use --help for the list.`);
      let value = match[2];
      const next = args[index + 1];
      if (value === undefined && flag.kind === "switch") value = "true";
      if (value === undefined && next !== undefined && !next.startsWith("--")) {
        value = next;
        index += 1;
      }
      if (value === undefined && flag.kind === "boolean") value = "true";
      if (value === undefined) throw bad(name, "needs a value");
      const values = this.#values.get(name) ?? [];
      if (values.length > 0 && flag.kind !== "repeated") values.length = 0;
      values.push(value);
      this.#values.set(name, values);
    }
  }

  names(): readonly string[] {
    return [...this.#values.keys()];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  whole(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^-?\d{1,15}$/.test(text)) throw bad(name, `expected a whole number, got "${text}"`);
    return Number(text);
  }

  boolean(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (["true", "on", "1"].includes(text)) return true;
    if (["false", "off", "0"].includes(text)) return false;
    throw bad(name, `expected true or false, got "${text}"`);
  }
}

function bad(name: string, why: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `Bad option: "--${name}". ${why}`);
}

function controlMode(text: string | undefined): ControlMode {
  const mode = (text ?? "none").toLowerCase();
  if (mode === "none" || mode === "explicit" || mode === "poll") return mode;
  throw bad("model-control-mode", `expected none, explicit or poll, got "${text}"`);
}

function port(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,5}$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", `${name} must be a port number, got "${text}"`);
  return Number(text);
}

function verbosity(text: string | undefined): number {
  if (text === undefined || text === "false" || text === "off") return 0;
  if (text === "true" || text === "on") return 1;
  if (!/^\d+$/.test(text)) throw bad("log-verbose", `expected a number or a boolean, got "${text}"`);
  return Number(text);
}

function defaultMaxBatchSize(entries: readonly string[]): number {
  let size = 4;
  for (const entry of entries) {
    const match = /^(?:onnxruntime,)?default-max-batch-size=(.*)$/.exec(entry);
    if (match === null) continue;
    if (!/^\d+$/.test(match[1] ?? ""))
      throw bad("backend-config", `default-max-batch-size must be a whole number, got "${match[1]}"`);
    size = Number(match[1]);
  }
  return size;
}

function restrictedApi(text: string): ServerOptions["restrictedApis"][number] {
  const match = /^([a-z,-]+):([^=]+)=(.*)$/.exec(text);
  if (match === null) throw bad("http-restricted-api", `expected <api>[,<api>]:<header>=<value>, got "${text}"`);
  const [, categories = "", header = "", value = ""] = match;
  return { categories: categories.split(","), header, value };
}

function usage(): string {
  const lines = Object.entries(FLAGS).map(
    ([name, { kind, help }]) => `  --${name}${kind === "switch" ? "" : "=<value>"}\n      ${help}`,
  );
  return `nereid-server: serves models over the V2 inference protocol\n\n${lines.join("\n")}\n`;
}
