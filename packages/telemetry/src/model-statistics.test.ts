import { describe, expect, it } from "vitest";
import { ModelStatistics, SecondBuckets } from "./index.ts";

const phases = { queueNs: 1999, computeInputNs: 3000, computeInferNs: 2_000_000, computeOutputNs: 1500 };

describe("ModelStatistics", () => {
  it("prints the statistics extension in Triton's order", () => {
    const statistics = new ModelStatistics({ nowMs: () => 1_700_000_000_900 });
    statistics.recordSuccess({ batchSize: 1, requestNs: 2_100_000, ...phases, endMs: 1_700_000_000_100 });
    statistics.recordSuccess({ batchSize: 8, requestNs: 2_200_000, ...phases });
    statistics.recordExecution({ batchSize: 9, computeInputNs: 3, computeInferNs: 4, computeOutputNs: 5 });
    statistics.recordExecution({ batchSize: 2, computeInputNs: 1, computeInferNs: 1, computeOutputNs: 1 });
    statistics.recordExecution({ batchSize: 9, computeInputNs: 3, computeInferNs: 4, computeOutputNs: 5 });
    statistics.recordFailure({ reason: "REJECTED", requestNs: 10 });
    statistics.recordFailure({ reason: "BACKEND", requestNs: 20 });
    statistics.setMemoryUsage([{ type: "CPU", id: 0, byte_size: 4096 }]);
    expect(JSON.stringify(statistics.toStatisticsJson("m", "3"))).toBe(
      JSON.stringify({
        name: "m",
        version: "3",
        last_inference: 1_700_000_000_897,
        inference_count: 9,
        execution_count: 3,
        inference_stats: {
          success: { count: 2, ns: 4_300_000 },
          fail: { count: 2, ns: 30 },
          queue: { count: 2, ns: 3998 },
          compute_input: { count: 2, ns: 6000 },
          compute_infer: { count: 2, ns: 4_000_000 },
          compute_output: { count: 2, ns: 3000 },
          cache_hit: { count: 0, ns: 0 },
          cache_miss: { count: 0, ns: 0 },
        },
        response_stats: {},
        batch_stats: [
          {
            batch_size: 2,
            compute_input: { count: 1, ns: 1 },
            compute_infer: { count: 1, ns: 1 },
            compute_output: { count: 1, ns: 1 },
          },
          {
            batch_size: 9,
            compute_input: { count: 2, ns: 6 },
            compute_infer: { count: 2, ns: 8 },
            compute_output: { count: 2, ns: 10 },
          },
        ],
        memory_usage: [{ type: "CPU", id: 0, byte_size: 4096 }],
      }),
    );
  });

  it("truncates microseconds per request", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0 });
    statistics.recordSuccess({ batchSize: 1, requestNs: 5999, ...phases });
    statistics.recordSuccess({ batchSize: 1, requestNs: 5999, ...phases });
    expect(statistics.durationUs("queue")).toBe(2);
    expect(statistics.durationUs("request")).toBe(10);
  });

  it("never counts pending below zero", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0 });
    statistics.incrementPending();
    statistics.decrementPending();
    statistics.decrementPending();
    expect(statistics.pending).toBe(0);
  });

  it("feeds its per-second series", () => {
    const buckets = new SecondBuckets();
    const statistics = new ModelStatistics({ nowMs: () => 5000, series: buckets.open({ model: "m", version: "1" }) });
    buckets.tick(5000);
    statistics.incrementPending();
    statistics.recordSuccess({ batchSize: 4, requestNs: 17, ...phases });
    statistics.recordExecution({ batchSize: 4, computeInputNs: 1, computeInferNs: 1, computeOutputNs: 1 });
    statistics.recordFailure({ reason: "OTHER", requestNs: 1 });
    buckets.tick(6001);
    expect(buckets.after(undefined)).toEqual([
      {
        t: 5,
        series: [
          {
            model: "m",
            version: "1",
            success: 1,
            failure: 1,
            failures: { OTHER: 1 },
            batchSizes: [[4, 1]],
            inferences: 4,
            executions: 1,
            pending: 1,
            sumNs: { request: 17, queue: 1999, computeInput: 3000, computeInfer: 2_000_000, computeOutput: 1500 },
            latency: [[17, 1]],
          },
        ],
      },
    ]);
  });

  it("keeps what happened on a GPU apart, and adds it up for the statistics", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0, gpuUuids: ["GPU-a", "GPU-b"] });
    statistics.recordSuccess({ batchSize: 2, requestNs: 10_000, ...phases, gpuUuid: "GPU-b" });
    statistics.recordExecution({
      batchSize: 2,
      computeInputNs: 1,
      computeInferNs: 1,
      computeOutputNs: 1,
      gpuUuid: "GPU-b",
    });
    statistics.recordFailure({ reason: "BACKEND", requestNs: 1, gpuUuid: "GPU-b" });
    statistics.recordFailure({ reason: "REJECTED", requestNs: 1 });
    expect(statistics.own.success).toBe(0);
    expect(statistics.own.failures).toEqual({ REJECTED: 1, CANCELED: 0, BACKEND: 0, OTHER: 0 });
    expect(statistics.byGpu.get("GPU-a")?.success).toBe(0);
    expect(statistics.byGpu.get("GPU-b")?.failures.BACKEND).toBe(1);
    expect([statistics.success, statistics.inferences, statistics.executions]).toEqual([1, 2, 1]);
    expect(statistics.histogram("queue").count).toBe(1);
    expect(statistics.toStatisticsJson("m", "1").inference_stats.fail.count).toBe(2);
  });

  it("counts a hit of the response cache as a request that computed nothing", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0, cached: true });
    const nothing = { computeInputNs: 0, computeInferNs: 0, computeOutputNs: 0 };
    statistics.recordSuccess({ batchSize: 4, requestNs: 5000, queueNs: 1000, ...nothing, cacheHit: true });
    statistics.cache?.recordHit(2500);
    statistics.cache?.recordMiss(1999);
    const { inference_count, inference_stats } = statistics.toStatisticsJson("m", "1");
    expect(inference_count).toBe(0);
    expect(inference_stats.success.count).toBe(1);
    expect(inference_stats.queue.count).toBe(1);
    expect(inference_stats.compute_infer.count).toBe(0);
    expect(inference_stats.cache_hit).toEqual({ count: 1, ns: 2500 });
    expect(inference_stats.cache_miss).toEqual({ count: 1, ns: 1999 });
    expect(statistics.cache?.hitUs).toBe(2);
    expect(statistics.cache?.missUs).toBe(1);
  });

  it("has a first-response histogram only where bounds are given", () => {
    expect(new ModelStatistics({ nowMs: () => 0 }).firstResponseMs).toBeUndefined();
    const statistics = new ModelStatistics({ nowMs: () => 0, firstResponseBoundsMs: [1, 10] });
    statistics.recordSuccess({ batchSize: 1, requestNs: 5_000_000, ...phases });
    statistics.recordSuccess({ batchSize: 1, requestNs: 5_000_000, ...phases, firstResponseNs: 1_000_000 });
    expect(statistics.firstResponseMs?.cumulative()).toEqual([1, 2, 2]);
  });
});
