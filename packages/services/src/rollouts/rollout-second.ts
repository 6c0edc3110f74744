import type { SecondBucket, SeriesBucket } from "@nereid/client";
import type { SparseHistogram } from "@nereid/telemetry";
import { placeOf, type RolloutSpec } from "./rollout-spec.ts";

/** One version in one second. */
export interface VersionSecond {
  /** That succeeded or failed; what clients cancelled is left out. */
  readonly requests: number;
  readonly failed: number;
  /** Sum of what the requests waited. */
  readonly queueNs: number;
  /** Of those that succeeded. */
  readonly latency: SparseHistogram;
}

/** What a rollout looks at of one second of its node. */
export interface RolloutSecond {
  readonly t: number;
  readonly baseline: VersionSecond;
  readonly candidate: VersionSecond;
  /** Used share of the machine's memory, or of the fullest GPU's where that is more; null where the node does not say. */
  readonly memoryShare: number | null;
  readonly gpus: readonly { readonly index: number; readonly xid: number | null; readonly ecc: number | null }[];
}

const NOTHING: VersionSecond = { requests: 0, failed: 0, queueNs: 0, latency: [] };

/** The second as a rollout of these two versions sees it. Pure. */
export function secondOf(
  { t, series, node }: SecondBucket,
  spec: Pick<RolloutSpec, "model" | "baseline" | "candidate">,
): RolloutSecond {
  const of = (role: "baseline" | "candidate") => {
    const { model, version } = placeOf(spec, role);
    const found = series.find((one) => one.model === model && one.version === version);
    return found === undefined ? NOTHING : versionSecond(found);
  };
  const gpus = node?.gpus ?? [];
  const shares = [node, ...gpus].flatMap((reading) => {
    const { memoryUsedBytes: used, memoryTotalBytes: total } = reading ?? {};
    return used === undefined || total === undefined || total === 0 ? [] : [used / total];
  });
  return {
    t,
    baseline: of("baseline"),
    candidate: of("candidate"),
    memoryShare: shares.length === 0 ? null : Math.max(...shares),
    gpus: gpus.map(({ index, xidErrors, eccErrors }) => ({ index, xid: xidErrors ?? null, ecc: eccErrors ?? null })),
  };
}

function versionSecond({ success, failure, failures, sumNs, latency }: SeriesBucket): VersionSecond {
  const failed = Math.max(0, failure - (failures?.CANCELED ?? 0));
  return { requests: success + failed, failed, queueNs: sumNs.queue, latency };
}
