import type { ModelStatus, VersionFiles, VersionState } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { windowFigures } from "../metrics/window-figures.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { modelKey } from "../nodes/model-key.ts";
import { parseInput } from "../parse-input.ts";

/** Seconds that the traffic of a version covers. */
const TRAFFIC_SECONDS = 60;

export interface VersionRow extends VersionFiles {
  readonly state: VersionState;
  readonly reason: string;
  readonly ready: boolean;
  /** Named by the pin that says which versions are served. */
  readonly pinned: boolean;
  /** Whether the configuration's policy selects it; null while a pin hides what the policy would say. */
  readonly servedByPolicy: boolean | null;
  /** Who published it, and what for; null when it came into the repository by another way. */
  readonly author: string | null;
  readonly note: string | null;
  /** Of the last minute; nulls without requests. Milliseconds and a share of 0…1. */
  readonly traffic: {
    readonly requestsPerSecond: number | null;
    readonly p99Ms: number | null;
    readonly errorsShare: number | null;
  };
}

/** The versions of a model: what lies on the disk, what of it is served and how it does. Newest first. */
export async function listVersions({ ctx, input }: Call<ModelInput>): Promise<VersionRow[]> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  return versionRows(ctx, name);
}

/** The rows of `listVersions`. A version that is served and no longer on the disk has no files and an empty digest. */
export async function versionRows(ctx: ServiceContext, name: string): Promise<VersionRow[]> {
  const [status, onDisk, deployments] = await Promise.all([
    ctx.node.model(name),
    ctx.node.versionFiles(name),
    ctx.db.deployment.findMany({ where: { model: modelKey(ctx, name) }, orderBy: { at: "asc" } }),
  ]);
  const published = new Map(deployments.map((one) => [`${one.version} ${one.digest}`, one]));
  return withGoneVersions(status, onDisk)
    .map((files) => {
      const deployment = published.get(`${files.version} ${files.digest}`);
      return {
        ...files,
        ...stateOf(status, files.version),
        author: deployment?.authorName ?? null,
        note: deployment?.reason ?? null,
        traffic: trafficOf(ctx, name, files.version),
      };
    })
    .toSorted((a, b) => Number(b.version) - Number(a.version));
}

function withGoneVersions(status: ModelStatus, onDisk: readonly VersionFiles[]): VersionFiles[] {
  const known = new Set(onDisk.map(({ version }) => version));
  const gone = status.versions.filter(({ version, state }) => state === "READY" && !known.has(version));
  const nothing = { digest: "", bytes: 0, createdAtMs: 0, files: [], graph: null };
  return [...onDisk, ...gone.map(({ version }) => ({ version, ...nothing }))];
}

function stateOf(
  status: ModelStatus,
  version: string,
): Pick<VersionRow, "state" | "reason" | "ready" | "pinned" | "servedByPolicy"> {
  const found = status.versions.find((one) => one.version === version);
  const state = found?.state ?? "UNAVAILABLE";
  return {
    state,
    reason: found?.reason ?? "",
    ready: found?.ready ?? false,
    pinned: status.pinned?.includes(version) ?? false,
    servedByPolicy: status.pinned === null ? state === "READY" || state === "LOADING" : null,
  };
}

function trafficOf(ctx: ServiceContext, model: string, version: string): VersionRow["traffic"] {
  const { newest } = ctx.metrics;
  const figures = windowFigures(ctx.metrics.recent(newest - TRAFFIC_SECONDS), { model, version });
  return {
    requestsPerSecond: figures?.requestsPerSecond ?? null,
    p99Ms: figures?.p99 ?? null,
    errorsShare: figures?.failureShare ?? null,
  };
}
