import type { NereidClient } from "@nereid/client";
import { bucketIndex, mergeSparse, quantileFromSparse, type SparseHistogram } from "@nereid/telemetry";
import type { LiveSecond, LiveWatch } from "./tuning-deps.ts";

/** Latencies of a served model, second by second, as the server counts it. A server that tells no seconds is not watched. */
export function liveWatch(client: NereidClient, model: string): LiveWatch {
  return {
    watch: (onSecond) => {
      const end = new AbortController();
      const read = async () => {
        try {
          const after = Math.floor(Date.now() / 1000) - 1;
          for await (const { series } of client.buckets({ model, after, signal: end.signal })) {
            const latency = mergeSparse(series.filter((row) => row.model === model).map((row) => row.latency));
            const p99Ns = quantileFromSparse(latency, 0.99);
            onSecond(p99Ns === undefined ? null : { p99Ms: p99Ns / 1e6, ...countsOf(latency) });
          }
        } catch {
          // A real Triton tells none: the guard then has nothing to look at.
        }
      };
      void read();
      return () => end.abort();
    },
  };
}

function countsOf(latency: SparseHistogram): Omit<LiveSecond, "p99Ms"> {
  const countFrom = (least: number) => latency.reduce((sum, [index, count]) => (index >= least ? sum + count : sum), 0);
  return { requests: countFrom(0), later: (ms) => countFrom(bucketIndex(ms * 1e6) + 1) };
}
