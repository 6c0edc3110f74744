import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InferResponseStatisticsSchema, ModelStatisticsSchema } from "@nereid/grpc";
import type { ModelStatisticsJson, StatisticDuration } from "@nereid/telemetry";

/** Statistics as the message of the rpc; the numbers are those of the HTTP answer. */
export function statisticsMessage(stats: ModelStatisticsJson): MessageInitShape<typeof ModelStatisticsSchema> {
  const of = stats.inference_stats;
  return {
    name: stats.name,
    version: stats.version,
    lastInference: whole(stats.last_inference),
    inferenceCount: whole(stats.inference_count),
    executionCount: whole(stats.execution_count),
    inferenceStats: {
      success: duration(of.success),
      fail: duration(of.fail),
      queue: duration(of.queue),
      computeInput: duration(of.compute_input),
      computeInfer: duration(of.compute_infer),
      computeOutput: duration(of.compute_output),
      cacheHit: duration(of.cache_hit),
      cacheMiss: duration(of.cache_miss),
    },
    batchStats: stats.batch_stats.map((batch) => ({
      batchSize: whole(batch.batch_size),
      computeInput: duration(batch.compute_input),
      computeInfer: duration(batch.compute_infer),
      computeOutput: duration(batch.compute_output),
    })),
    memoryUsage: stats.memory_usage.map(({ type, id, byte_size }) => ({
      type,
      id: whole(id),
      byteSize: whole(byte_size),
    })),
    responseStats: Object.fromEntries(
      Object.entries(stats.response_stats).map(([index, phases]) => [index, responseMessage(phases)]),
    ),
  };
}

function responseMessage(
  phases: Readonly<Record<string, StatisticDuration>>,
): MessageInitShape<typeof InferResponseStatisticsSchema> {
  return {
    ...(phases["compute_infer"] && { computeInfer: duration(phases["compute_infer"]) }),
    ...(phases["compute_output"] && { computeOutput: duration(phases["compute_output"]) }),
    ...(phases["success"] && { success: duration(phases["success"]) }),
    ...(phases["fail"] && { fail: duration(phases["fail"]) }),
    ...(phases["empty_response"] && { emptyResponse: duration(phases["empty_response"]) }),
    ...(phases["cancel"] && { cancel: duration(phases["cancel"]) }),
  };
}

function duration({ count, ns }: StatisticDuration) {
  return { count: whole(count), ns: whole(ns) };
}

/** Sums are doubles; a fraction of a nanosecond has no place in a message. */
function whole(value: number): bigint {
  return BigInt(Math.max(0, Math.round(value)));
}
