import type { OutputTensor } from "@nereid/protocol";
import type { ModelStatistics } from "@nereid/telemetry";
import type { ExecutionMoments } from "../models/infer-ticket.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import type { Clock } from "../time/clock.ts";
import type { CachedResponse, ResponseCache } from "./response-cache.ts";

/** What a hit counts for: nothing was queued or computed. */
export const CACHE_HIT = {
  cacheHit: true,
  queueNs: 0,
  computeInputNs: 0,
  computeInferNs: 0,
  computeOutputNs: 0,
} as const;

/** The outputs the request asks for; undefined where one of them was not kept. */
export function keptOutputs(
  response: CachedResponse | undefined,
  { outputs }: Pick<ValidRequest, "outputs">,
): readonly OutputTensor[] | undefined {
  if (response === undefined) return undefined;
  const kept = outputs.flatMap(({ name }) => response.outputs.find((output) => output.name === name) ?? []);
  return kept.length < outputs.length ? undefined : kept;
}

/** Of an answer that was there at once. */
export function cachedMoments(startNs: number, nowNs: number): ExecutionMoments {
  return { queueStartNs: startNs, computeStartNs: nowNs, inputEndNs: nowNs, outputStartNs: nowNs, endNs: nowNs };
}

/** Keeps the outputs of a request that missed; the time counts as part of the miss (metrics.md §3). */
export function insertTimed(
  into: { readonly cache: ResponseCache; readonly clock: Clock; readonly statistics: ModelStatistics },
  key: string,
  outputs: readonly OutputTensor[],
): void {
  const startNs = into.clock.nowNs();
  into.cache.insert(key, { outputs });
  into.statistics.cache?.recordInsertion(into.clock.nowNs() - startNs);
}
