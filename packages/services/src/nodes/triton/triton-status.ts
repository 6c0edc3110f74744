import type { ModelStatus, NereidClient, VersionState, VersionStatus } from "@nereid/client";

/** A line of the repository index. */
export type IndexEntry = Awaited<ReturnType<NereidClient["repositoryIndex"]>>[number];

/** A model's configuration as protobuf-style JSON. */
export type TritonConfig = Readonly<Record<string, unknown>>;

const STATES: readonly VersionState[] = ["READY", "UNAVAILABLE", "LOADING", "UNLOADING"];

/** The models of a repository index; `configOf` answers the configurations that are known. */
export function statusesOf(
  index: readonly IndexEntry[],
  configOf: (model: string) => TritonConfig | undefined,
): ModelStatus[] {
  const names = [...new Set(index.map(({ name }) => name))];
  return names.map((name) => {
    const entries = index.filter((entry) => entry.name === name);
    return statusOf(name, entries, configOf(name));
  });
}

function statusOf(name: string, entries: readonly IndexEntry[], config: TritonConfig | undefined): ModelStatus {
  const versions = entries.flatMap(toVersion);
  const served = versions.some(({ state }) => state === "READY");
  return {
    name,
    inRepository: true,
    platform: textOf(config, "platform"),
    backend: textOf(config, "backend"),
    maxBatchSize: Number(config?.["max_batch_size"] ?? 0),
    scheduler: schedulerOf(config),
    versions,
    warnings: [],
    pinned: null,
    lastLoadError: served ? "" : failureOf(entries),
  };
}

/** An entry without a version is a model that was never loaded. */
function toVersion({ version, state, reason }: IndexEntry): VersionStatus[] {
  if (version === undefined || version === "") return [];
  const known = STATES.find((one) => one === state) ?? "UNKNOWN";
  return [
    {
      version,
      state: known,
      reason: reason ?? "",
      ready: known === "READY",
      pending: 0,
      queued: 0,
      instances: [],
    },
  ];
}

/** Why it is not served, when nobody unloaded it. */
function failureOf(entries: readonly IndexEntry[]): string {
  const reasons = entries.filter(({ state, reason }) => state === "UNAVAILABLE" && reason !== "unloaded");
  return reasons.find(({ reason }) => reason !== undefined && reason !== "")?.reason ?? "";
}

function schedulerOf(config: TritonConfig | undefined): ModelStatus["scheduler"] {
  if (config === undefined) return "unknown";
  if (config["ensemble_scheduling"] !== undefined) return "ensemble";
  if (config["sequence_batching"] !== undefined) return "sequence";
  return config["dynamic_batching"] === undefined ? "default" : "dynamic";
}

function textOf(config: TritonConfig | undefined, field: string): string {
  const value = config?.[field];
  return typeof value === "string" ? value : "";
}
