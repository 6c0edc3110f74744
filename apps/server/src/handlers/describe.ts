import { NereidError } from "@nereid/errors";
import { sortedVersions, type TensorSpec } from "@nereid/inference-worker";
import type { ModelConfig } from "@nereid/model-config";
import type { ModelMetadata, ServerMetadata } from "@nereid/protocol";
import type { ModelStatisticsJson } from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";
import { refuseWhenNotReady } from "./health.ts";

/** In Triton's order (http.md §4). */
const EXTENSIONS = [
  "classification",
  "model_repository",
  "model_repository(unload_dependents)",
  "schedule_policy",
  "model_configuration",
  "system_shared_memory",
  "binary_tensor_data",
  "parameters",
  "statistics",
  "trace",
  "logging",
];

/** Name, version and the extensions this server really has. */
export function describeServer(context: ServerContext): ServerMetadata {
  const { id, allowClientShm } = context.options;
  const extensions = allowClientShm ? EXTENSIONS : EXTENSIONS.filter((name) => name !== "system_shared_memory");
  return { name: id, version: context.version, extensions };
}

/** Versions, platform and tensors of a model. NOT_FOUND and UNAVAILABLE with Triton's texts. */
export function describeModel(context: ServerContext, name: string, version: string | undefined): ModelMetadata {
  refuseWhenNotReady(context);
  const { spec } = context.manager.resolve(name, version);
  const entry = context.manager.entry(name);
  const ready = entry === undefined ? [] : sortedVersions(entry).filter(({ state }) => state === "READY");
  const shapeOf = ({ dims }: TensorSpec) => (spec.maxBatchSize > 0 ? [-1, ...dims] : [...dims]);
  const tensor = (io: TensorSpec) => ({ name: io.name, datatype: io.datatype, shape: shapeOf(io) });
  return {
    name,
    versions: version === undefined ? ready.map((candidate) => candidate.version) : [version],
    platform: spec.platform !== "" ? spec.platform : spec.backend,
    inputs: spec.inputs.map(tensor),
    outputs: spec.outputs.map(tensor),
  };
}

/** The configuration of a model as it is served. */
export function servedConfig(context: ServerContext, name: string, version: string | undefined): ModelConfig {
  refuseWhenNotReady(context);
  const served = context.manager.resolve(name, version);
  const config = context.manager.entry(name)?.versions.get(served.spec.version)?.config;
  if (config === undefined) throw new NereidError("INTERNAL", `model '${name}' is served without a configuration`);
  return config;
}

/** Statistics of one model (its READY versions, or the one named), or of all READY versions. */
export function collectStatistics(context: ServerContext, name?: string, version?: string): ModelStatisticsJson[] {
  refuseWhenNotReady(context);
  const entries = name === undefined ? context.manager.entries : [context.manager.entry(name)];
  return entries.flatMap((entry) => {
    if (entry === undefined || entry.versions.size === 0)
      throw new NereidError("INVALID_ARGUMENT", `requested model '${name}' is not available`);
    const versions = sortedVersions(entry).filter(
      (candidate) => candidate.state === "READY" && (version === undefined || candidate.version === version),
    );
    if (name !== undefined && versions.length === 0) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        version === undefined
          ? `requested model '${name}' is not available`
          : `requested model version is not available for model '${name}'`,
      );
    }
    return versions.flatMap(({ served }) => {
      if (served === undefined) return [];
      const rss = served.measureMemory().currentBytes;
      served.statistics.setMemoryUsage(rss === undefined ? [] : [{ type: "CPU", id: 0, byte_size: rss }]);
      return [served.statistics.toStatisticsJson(entry.name, served.spec.version)];
    });
  });
}
