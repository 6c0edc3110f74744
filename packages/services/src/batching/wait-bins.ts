import { bucketBoundsNs, type SparseHistogram } from "@nereid/telemetry";

/** Requests that waited so long before their batch began; microseconds, `toUs` null = and longer. */
export interface WaitBin {
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly requests: number;
}

const EDGES_US = [0, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 1_000_000];

/** A histogram in a few bins that people can read; a fine bucket counts where its middle lies. It begins and ends with requests, and a run of empty bins is one. Without requests no bins. */
export function waitBins(wait: SparseHistogram): WaitBin[] {
  if (wait.length === 0) return [];
  const bins = EDGES_US.map((fromUs, at) => ({ fromUs, toUs: EDGES_US[at + 1] ?? null, requests: 0 }));
  for (const [index, requests] of wait) {
    const { lower, upper } = bucketBoundsNs(index);
    const middleUs = (upper === Number.POSITIVE_INFINITY ? lower : (lower + upper) / 2) / 1000;
    const bin = bins.findLast(({ fromUs }) => fromUs <= middleUs);
    if (bin !== undefined) bin.requests += requests;
  }
  return bins
    .filter(({ requests }) => requests > 0)
    .flatMap((bin, at, filled) => {
      const before = filled[at - 1];
      // Where nobody waited so long, one empty bin stands for all of them.
      if (before?.toUs == null || before.toUs === bin.fromUs) return [bin];
      return [{ fromUs: before.toUs, toUs: bin.fromUs, requests: 0 }, bin];
    });
}
