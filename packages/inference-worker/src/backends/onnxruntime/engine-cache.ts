import { createHash } from "node:crypto";
import { join } from "node:path";
import type { GpuSupport } from "../../devices/detect-gpus.ts";
import type { ExecutionProvider } from "../../runner-protocol/messages.ts";

/** What TensorRT engines were built for. Engines of other facts would be refused by the library, or compute something else. */
export interface EngineFacts {
  readonly gpu: string;
  readonly computeCapability: string;
  readonly driver: string;
  /** Options of the provider that go into the engine, such as precision and shape profiles. */
  readonly options: Readonly<Record<string, string>>;
  /** Fingerprint of the version's files. */
  readonly model: string;
}

/** A directory of the server's own for the engines of one version. */
export interface EngineCache {
  readonly directory: string;
  readonly facts: EngineFacts;
}

export interface EngineCacheContext {
  /** Where this server keeps what it can make anew. */
  readonly cacheDirectory: string;
  readonly model: string;
  readonly modelDirectory: string;
  readonly version: string;
  readonly fingerprint: string;
  readonly gpus: GpuSupport;
}

/** Options that say where something is kept, and not what is built. */
const PLACES: ReadonlySet<string> = new Set([
  "trt_engine_cache_enable",
  "trt_engine_cache_path",
  "trt_engine_cache_prefix",
  "trt_timing_cache_enable",
  "trt_timing_cache_path",
  "trt_dump_subgraphs",
  "trt_detailed_build_log",
]);

/**
 * The providers with a directory for the engines of a version, where the configuration has engines kept and names no place. Undefined where
 * nothing is kept, or in a place of the configuration's own, which is left alone. Pure.
 */
export function planEngineCache(
  providers: readonly ExecutionProvider[],
  context: EngineCacheContext,
): { readonly providers: readonly ExecutionProvider[]; readonly cache: EngineCache } | undefined {
  const tensorrt = providers.find(({ name }) => name === "tensorrt");
  const options = tensorrt?.options ?? {};
  const places = [
    ["trt_engine_cache_enable", "trt_engine_cache_path"],
    ["trt_timing_cache_enable", "trt_timing_cache_path"],
  ] as const;
  const open = places.filter(([enable, path]) => options[enable] === "1" && (options[path] ?? "") === "");
  if (tensorrt === undefined || open.length === 0) return undefined;
  const directory = directoryOf(context);
  const added = Object.fromEntries(open.map(([, path]) => [path, directory]));
  return {
    providers: providers.map((one) => (one === tensorrt ? { ...one, options: { ...options, ...added } } : one)),
    cache: { directory, facts: factsOf(options, tensorrt.deviceId, context) },
  };
}

/** Two repositories may have models of the same name, so the directory's own name is told apart by the model's place. */
function directoryOf({ cacheDirectory, model, modelDirectory, version }: EngineCacheContext): string {
  const place = createHash("sha256").update(modelDirectory).digest("hex").slice(0, 12);
  return join(cacheDirectory, `${encodeURIComponent(model)}-${place}`, version);
}

function factsOf(
  options: Readonly<Record<string, string>>,
  device: number | undefined,
  { gpus, fingerprint }: EngineCacheContext,
): EngineFacts {
  const gpu = gpus.gpus.find(({ id }) => id === (device ?? 0));
  const built = Object.entries(options).filter(([key]) => !PLACES.has(key));
  return {
    gpu: gpu?.name ?? "unknown",
    computeCapability: gpu === undefined ? "unknown" : String(gpu.computeCapability),
    driver: gpus.driver ?? "unknown",
    options: Object.fromEntries(built.sort(([a], [b]) => (a < b ? -1 : 1))),
    model: fingerprint,
  };
}

/** Why engines that were built for `kept` do not do for `now`, in words; undefined when they do. Pure. */
export function whyUnfit(kept: EngineFacts, now: EngineFacts): string | undefined {
  if (kept.model !== now.model) return "the model's files have changed";
  const changed = (["gpu", "computeCapability", "driver"] as const).filter((key) => kept[key] !== now[key]);
  const words = { gpu: "GPU", computeCapability: "compute capability", driver: "driver" };
  const [first] = changed;
  if (first !== undefined) return `the ${words[first]} was ${kept[first]} and is ${now[first]}`;
  const keys = [...new Set([...Object.keys(kept.options), ...Object.keys(now.options)])].sort();
  const option = keys.find((key) => kept.options[key] !== now.options[key]);
  if (option === undefined) return undefined;
  return `${option} was ${kept.options[option] ?? "not set"} and is ${now.options[option] ?? "not set"}`;
}
