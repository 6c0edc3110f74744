import { NereidError } from "@nereid/errors";
import { sortedVersions, type TensorSpec } from "@nereid/inference-worker";
import { modelConfigToJson } from "@nereid/model-config";
import { modelMetadataJson, serverMetadataJson } from "@nereid/protocol";
import type { ServerContext } from "../server-context.ts";
import { refuseWhenNotReady } from "./health.ts";

const EXTENSIONS = [
  "classification",
  "model_repository",
  "schedule_policy",
  "model_configuration",
  "binary_tensor_data",
  "parameters",
  "statistics",
];

/** Body of `GET /v2`. Names only the extensions this server really has. */
export function serverMetadata(context: ServerContext): string {
  return serverMetadataJson({ name: context.options.id, version: context.version, extensions: EXTENSIONS });
}

/** Body of `GET /v2/models/M[/versions/V]`. */
export function modelMetadata(context: ServerContext, name: string, version: string | undefined): string {
  refuseWhenNotReady(context);
  const { spec } = context.manager.resolve(name, version);
  const entry = context.manager.entry(name);
  const ready = entry === undefined ? [] : sortedVersions(entry).filter(({ state }) => state === "READY");
  const shapeOf = ({ dims }: TensorSpec) => (spec.maxBatchSize > 0 ? [-1, ...dims] : [...dims]);
  const tensor = (io: TensorSpec) => ({ name: io.name, datatype: io.datatype, shape: shapeOf(io) });
  return modelMetadataJson({
    name,
    versions: version === undefined ? ready.map((candidate) => candidate.version) : [version],
    platform: spec.platform !== "" ? spec.platform : spec.backend,
    inputs: spec.inputs.map(tensor),
    outputs: spec.outputs.map(tensor),
  });
}

/** Body of `GET /v2/models/M[/versions/V]/config`: the configuration as it is served. */
export function modelConfig(context: ServerContext, name: string, version: string | undefined): string {
  refuseWhenNotReady(context);
  const served = context.manager.resolve(name, version);
  const config = context.manager.entry(name)?.versions.get(served.spec.version)?.config;
  if (config === undefined) throw new NereidError("INTERNAL", `model '${name}' is served without a configuration`);
  return JSON.stringify(modelConfigToJson(config));
}

/** Body of the statistics calls: one model (its READY versions, or the one named), or all READY versions. */
export function modelStatistics(context: ServerContext, name?: string, version?: string): string {
  refuseWhenNotReady(context);
  const entries = name === undefined ? context.manager.entries : [context.manager.entry(name)];
  const stats = entries.flatMap((entry) => {
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
  return JSON.stringify({ model_stats: stats });
}
