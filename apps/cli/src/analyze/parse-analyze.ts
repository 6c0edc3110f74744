import type { AnalyzeCommand, Loads, ModelOrder } from "./analyze-command.ts";
import type { AnalyzeKeyName } from "./analyze-keys.ts";
import { knownSettings, readFileSettings, readOptions, settingError } from "./read-settings.ts";
import { numbersOf, SettingReader } from "./setting-reader.ts";

const DEFAULT_SERVER = "http://127.0.0.1:8000";
const FORMATS = ["pdf", "html", "csv"] as const;
const VERBS = ["profile", "report"] as const;

export interface AnalyzePlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
}

/** Reads the arguments after `analyze` and the file they name. INVALID_ARGUMENT, with the fix, for anything that cannot be meant. */
export function parseAnalyze(args: readonly string[], { env, readFile }: AnalyzePlace): AnalyzeCommand {
  const verb = VERBS.find((one) => one === args[0]);
  if (verb === undefined)
    throw settingError(
      args[0] === undefined ? "profile or report?" : `'${args[0]}' is no verb of analyze`,
      "write nereid analyze profile -n MODEL, or nereid analyze report",
    );
  const options = readOptions(args.slice(1));
  const file =
    options.file === undefined
      ? { values: new Map<AnalyzeKeyName, unknown>(), warnings: [] }
      : readFileSettings(textOf(options.file, readFile), options.file);
  const layers = [options.values, file.values];
  const settings = new SettingReader(layers);
  const warnings = [...options.warnings, ...file.warnings];
  const models = modelOrders(settings, { layers, warnings });
  const formats = settings.texts("output_formats") ?? [...FORMATS];
  const unknown = formats.find((one) => !FORMATS.some((known) => known === one));
  if (unknown !== undefined) throw settingError(`output_formats has '${unknown}'`, `use ${FORMATS.join(", ")}`);
  return {
    verb,
    models,
    settings,
    server: withScheme(settings.text("triton_http_endpoint") ?? env["NEREID_SERVER"] ?? DEFAULT_SERVER),
    grpc: settings.text("triton_grpc_endpoint") ?? "localhost:8001",
    protocol: settings.oneOf("client_protocol", ["http", "grpc"]),
    metricsUrl: withScheme(settings.text("triton_metrics_url") ?? "http://localhost:8002/metrics"),
    repository: settings.text("model_repository"),
    checkpoints: settings.text("checkpoint_directory") ?? "./checkpoints",
    exportPath: settings.text("export_path") ?? ".",
    formats: new Set(FORMATS.filter((one) => formats.includes(one))),
    verbosity: settings.flag("quiet") ? "quiet" : settings.flag("verbose") ? "verbose" : "usual",
    summary: !settings.flag("skip_summary_reports"),
    detailed: !settings.flag("skip_detailed_reports"),
    top: settings.whole("num_configs_per_model", 3),
    only: settings.texts("report_model_configs") ?? [],
    warnings,
  };
}

function modelOrders(
  settings: SettingReader,
  {
    layers,
    warnings,
  }: { readonly layers: readonly ReadonlyMap<AnalyzeKeyName, unknown>[]; readonly warnings: string[] },
): ModelOrder[] {
  const value = settings.raw("profile_models");
  const named: [string, unknown][] = [];
  if (typeof value === "string")
    for (const name of value.split(",")) if (name.trim() !== "") named.push([name.trim(), undefined]);
  if (Array.isArray(value))
    for (const one of value) {
      if (typeof one === "string") named.push([one, undefined]);
      else if (typeof one === "object" && one !== null) named.push(...Object.entries(one));
    }
  else if (typeof value === "object" && value !== null) named.push(...Object.entries(value));
  return named.map(([name, own]): ModelOrder => {
    const { parameters, ...rest } = objectOf(own, name);
    const read = knownSettings(Object.entries(rest), `profile_models.${name}`);
    warnings.push(...read.warnings);
    const all = new SettingReader([read.values, ...layers]);
    return { name, settings: all, loads: loadsOf(objectOf(parameters, `${name}.parameters`), all, name) };
  });
}

function loadsOf(parameters: Readonly<Record<string, unknown>>, settings: SettingReader, name: string): Loads {
  const unknown = Object.keys(parameters).find((key) => !["concurrency", "request_rate", "batch_sizes"].includes(key));
  if (unknown !== undefined)
    throw settingError(
      `profile_models.${name}.parameters.${unknown} is not known`,
      "use concurrency, request_rate and batch_sizes",
    );
  const own = (key: "concurrency" | "request_rate" | "batch_sizes") =>
    parameters[key] === undefined ? settings.numbers(key) : numbersOf(parameters[key], `${name}.parameters.${key}`, 1);
  return { concurrency: own("concurrency"), requestRate: own("request_rate"), batchSizes: own("batch_sizes") };
}

function objectOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return { ...value };
  throw settingError(`profile_models.${where} has no settings`, "write KEY: VALUE lines below it");
}

function textOf(file: string, readFile: (path: string) => string): string {
  try {
    return readFile(file);
  } catch {
    throw settingError(`cannot read ${file}`, "give the path of a YAML file with -f");
  }
}

function withScheme(address: string): string {
  return /^https?:\/\//.test(address) ? address : `http://${address}`;
}
