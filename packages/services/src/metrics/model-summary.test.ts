import { describe, expect, it } from "vitest";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { summariseModels } from "./model-summary.ts";

const window = { seconds: 2, trendSeconds: 4 };

describe("summariseModels", () => {
  it("answers nothing without buckets", () => {
    expect(summariseModels([], window)).toEqual([]);
  });

  it("covers the window for figures and more for the trend, with gaps", () => {
    const buckets = [
      bucketOf(10, seriesOf("m", [1, 1, 1])),
      bucketOf(12, seriesOf("m", [10, 10], { failure: 2, executions: 1 })),
      bucketOf(13, seriesOf("m", [10], { pending: 5 })),
    ];
    const [summary] = summariseModels(buckets, window);
    expect(summary).toMatchObject({
      model: "m",
      requestsPerSecond: 2.5,
      failuresPerSecond: 1,
      failureShare: 0.4,
      queueShare: 0.5,
      meanBatch: 1.5,
      pending: 5,
      trend: [3, null, 4, 1],
    });
  });

  it("divides by the seconds that have data", () => {
    const [summary] = summariseModels([bucketOf(13, seriesOf("m", [1, 1]))], window);
    expect(summary?.requestsPerSecond).toBe(2);
  });

  it("a model that went quiet has no percentiles", () => {
    const buckets = [bucketOf(10, seriesOf("m", [1])), bucketOf(12), bucketOf(13)];
    expect(summariseModels(buckets, window)).toMatchObject([
      { requestsPerSecond: 0, p99: null, failureShare: null, queueShare: null, meanBatch: null, pending: 0 },
    ]);
  });

  it("tells models and their versions apart, whenever they began and however many there are", () => {
    const buckets = [
      bucketOf(10, seriesOf("b", [1])),
      bucketOf(12, seriesOf("a", [1, 1]), seriesOf("b", [1]), seriesOf("a", [1], { version: "2" })),
      bucketOf(13, seriesOf("a", [1])),
    ];
    expect(summariseModels(buckets, window)).toMatchObject([
      { model: "a", requestsPerSecond: 2, trend: [0, null, 3, 1] },
      { model: "b", requestsPerSecond: 0.5, trend: [1, null, 1, 0] },
    ]);
  });
});
