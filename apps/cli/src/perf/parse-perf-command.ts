import { FlagReader } from "./flag-reader.ts";
import { parseLoad, parseMeasurement } from "./parse-load.ts";
import { parseGoodput, parseHeaders, parseParameters, parseSequences, parseShapes, parseUrl } from "./parse-values.ts";
import type { InputChoice, PerfCommand } from "./perf-command.ts";
import { optionError, readFlags } from "./read-flags.ts";

/** Reads the arguments after `perf`. INVALID_ARGUMENT, with the fix, for anything that cannot be meant. Pure. */
export function parsePerfCommand(args: readonly string[]): PerfCommand {
  const flags = new FlagReader(readFlags(args));
  const model = flags.text("model") ?? "";
  if (model === "") throw optionError("which model?", "name it with -m MODEL");
  const protocol = flags.oneOf("protocol", ["http", "grpc"]);
  const serviceKind = serviceKindOf(flags);
  const streaming = flags.has("streaming");
  if (streaming && serviceKind === "triton" && protocol === "http")
    throw optionError("--streaming is of gRPC", "add -i grpc, or --service-kind openai");
  if (serviceKind === "openai" && protocol === "grpc")
    throw optionError("openai is spoken over HTTP", "leave out -i grpc");
  const { load, levels } = parseLoad(flags);
  const jsonInput = flags.oneOf("inputTensorFormat", ["binary", "json"]) === "json";
  const jsonOutput = flags.oneOf("outputTensorFormat", ["binary", "json"]) === "json";
  if ((jsonInput || jsonOutput) && protocol === "grpc") throw optionError("json tensors are of HTTP", "use -i http");
  const compression = flags.oneOf("grpcCompression", ["none", "gzip", "deflate"]);
  if (compression !== "none" && protocol === "http")
    throw optionError("--grpc-compression-algorithm is of gRPC", "add -i grpc");
  if (flags.has("verboseCsv") && !flags.has("csv")) throw optionError("--verbose-csv has no file", "add -f FILE");
  if (flags.has("junit")) throw optionError("--junit is for scenarios", "add --check FILE");
  const version = flags.text("version") ?? "";
  if (!/^\d*$/.test(version)) throw optionError(`-x is '${version}'`, "give the number of a version");
  return {
    model,
    version,
    batch: flags.whole("batch", 1),
    protocol,
    ...parseUrl(flags.text("url"), protocol),
    serviceKind,
    endpoint: (flags.text("endpoint") ?? "v1/chat/completions").replace(/^\//, ""),
    streaming,
    asynchronous: flags.has("synchronous") ? false : flags.has("asynchronous") || streaming ? true : undefined,
    verbose: flags.has("verbose"),
    load,
    levels,
    latencyLimitMs: flags.whole("latencyThreshold", 0, 0),
    measurement: parseMeasurement(flags, levels),
    tolerance: flags.decimal("stabilityPercentage", 10) / 100,
    maxTrials: flags.whole("maxTrials", 10),
    percentile: percentileOf(flags),
    warmUpRequests: flags.whole("warmupRequestCount", 0, 0),
    input: inputOf(flags),
    shapes: parseShapes(flags.all("shape")),
    stringData: flags.text("stringData"),
    stringLength: flags.whole("stringLength", 128),
    sharedMemory: sharedMemoryOf(flags),
    outputSharedMemoryBytes: flags.whole("outputSharedMemorySize", 102_400),
    sequences: parseSequences(flags),
    headers: parseHeaders(flags.all("header")),
    parameters: parseParameters(flags.all("requestParameter")),
    jsonInput,
    jsonOutput,
    compression,
    csvFile: flags.text("csv"),
    verboseCsv: flags.has("verboseCsv"),
    exportFile: flags.text("profileExport"),
    metrics: metricsOf(flags),
    processes: flags.has("processes") ? flags.whole("processes", 1) : undefined,
    seed: flags.whole("randomSeed", 0, 0),
    goodput: parseGoodput(flags.all("goodput")),
  };
}

function serviceKindOf(flags: FlagReader): "triton" | "openai" {
  const kind = flags.text("serviceKind");
  if (kind === "triton_c_api")
    throw optionError("--service-kind triton_c_api is not supported", "start the server with nereid serve and use -u");
  if (kind === "tfserving" || kind === "torchserve" || kind === "dynamic_grpc")
    throw optionError(`--service-kind ${kind} is not supported`, "use triton or openai, which V2 servers speak");
  return flags.oneOf("serviceKind", ["triton", "openai"]);
}

function sharedMemoryOf(flags: FlagReader): boolean {
  if (flags.text("sharedMemory") === "cuda")
    throw optionError("--shared-memory cuda is not supported", "use --shared-memory system");
  return flags.oneOf("sharedMemory", ["none", "system"]) === "system";
}

function percentileOf(flags: FlagReader): number | undefined {
  const text = flags.text("percentile");
  if (text === undefined || text === "-1") return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value < 100) return value;
  throw optionError(`--percentile is '${text}'`, "give a whole number from 1 to 99, or -1 for the average");
}

function inputOf(flags: FlagReader): InputChoice {
  const given = flags.all("inputData");
  if (given.length === 0) return { kind: "random" };
  const [first = "random"] = given;
  if (first !== "zero" && first !== "random") return { kind: "paths", paths: given };
  if (given.length > 1) throw optionError("--input-data is given twice", "give zero, random, or files");
  return { kind: first };
}

function metricsOf(flags: FlagReader): PerfCommand["metrics"] {
  if (!flags.has("collectMetrics")) return undefined;
  const url = flags.text("metricsUrl") ?? "localhost:8002/metrics";
  return { url: /^https?:/.test(url) ? url : `http://${url}`, intervalMs: flags.whole("metricsInterval", 1000) };
}
