import type { ModelStatus } from "@nereid/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumsOf } from "../history/series-sums.ts";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { countModels, healthOf } from "./health.ts";
import { tilesOf } from "./tiles.ts";
import { worstModels } from "./worst-models.ts";

const model = (name: string, state: "READY" | "LOADING" | "UNAVAILABLE", more: object = {}): ModelStatus => ({
  name,
  inRepository: true,
  platform: "onnxruntime_onnx",
  backend: "onnxruntime",
  maxBatchSize: 0,
  scheduler: "default",
  versions: [{ version: "1", state, reason: "", ready: state === "READY", pending: 0, queued: 0, instances: [] }],
  warnings: [],
  pinned: null,
  lastLoadError: "",
  ...more,
});
const live = { state: "live", since: 0 } as const;
const failed = model("bad", "UNAVAILABLE", { lastLoadError: "no file" });
const silent = model("mute", "READY", {
  versions: [{ version: "1", state: "READY", reason: "", ready: false, pending: 0, instances: [] }],
});

describe("the sentence about the health", () => {
  it.each([
    ["bad", "The inference server does not answer.", live, null, null],
    ["bad", "The inference server does not answer.", { state: "down", since: 0 }, [model("m", "READY")], 0],
    ["unknown", "Waiting for the first figures of the server.", { state: "connecting", since: 0 }, [], null],
    ["bad", "12.0 % of the requests failed, and 'bad' could not be loaded.", live, [failed], 0.12],
    ["degraded", "'bad' could not be loaded.", live, [failed, model("m", "READY")], 0.01],
    ["degraded", "3 models could not be loaded.", live, [failed, failed, failed], null],
    ["degraded", "1.0 % of the requests failed.", live, [model("m", "READY")], 0.01],
    ["degraded", "'mute' is not ready.", live, [silent], 0],
    ["unknown", "No model is loaded.", live, [model("m", "UNAVAILABLE")], null],
    ["good", "All is well: 2 models ready.", live, [model("m", "READY"), model("n", "READY")], 0.001],
  ] as const)("%s: %s", (state, sentence, connection, models, errorShare) => {
    expect(healthOf({ connection, models, errorShare })).toEqual({ state, sentence });
  });

  it("counts models", () => {
    const models = [model("a", "READY"), model("b", "LOADING"), failed];
    expect(countModels(models)).toEqual({ total: 3, ready: 1, loading: 1, failed: 1 });
  });
});

describe("the worst first", () => {
  const totals = [
    seriesOf("fast", [1, 1], { sumNs: { request: 10, queue: 1, computeInput: 1, computeInfer: 7, computeOutput: 1 } }),
    seriesOf("slow", [90], { sumNs: { request: 10, queue: 1, computeInput: 1, computeInfer: 7, computeOutput: 1 } }),
    seriesOf("waits", [5]),
    seriesOf("fails", [1], { failure: 1 }),
  ].map((one) => ({ model: one.model, sums: sumsOf(one) }));

  it("failed loads, failing requests, waiting requests, slow ones, the rest", () => {
    const worst = worstModels({ totals, seconds: 1, models: [{ name: "broken", lastLoadError: "no file" }] }, 10);
    expect(worst.map(({ model, why }) => [model, why])).toEqual([
      ["broken", "its last load failed"],
      ["fails", "50.0 % of its requests failed"],
      ["waits", "its requests wait 50 % of their time in the queue"],
      ["slow", expect.stringMatching(/^99 % of its requests take up to \d+ ms$/)],
      ["fast", expect.stringMatching(/^99 % of its requests take up to [\d.]+ ms$/)],
    ]);
    expect(worstModels({ totals, seconds: 1, models: [] }, 2)).toHaveLength(2);
  });
});

describe("tiles", () => {
  it("have the window, the one before it and its parts; seconds without a bucket dilute nothing", () => {
    const buckets = [bucketOf(5, seriesOf("m", [10])), bucketOf(10, seriesOf("m", [20, 20])), bucketOf(14)];
    const { requestsPerSecond, errorShare, p99Ms } = tilesOf(buckets, { from: 10, to: 20 }, 2);
    expect(requestsPerSecond).toEqual({ now: 1, previous: 1, spark: [1, null] });
    expect(errorShare.now).toBe(0);
    expect(p99Ms.now).toBeCloseTo(20, -1);
    expect(p99Ms.spark[1]).toBeNull();
  });

  it("are null everywhere without figures, whatever the window", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 10, max: 900 }), (from, length) => {
        const tiles = tilesOf([], { from, to: from + length }, 60);
        for (const tile of Object.values(tiles)) {
          expect([tile.now, tile.previous, tile.spark.every((one: unknown) => one === null)]).toEqual([
            null,
            null,
            true,
          ]);
        }
      }),
    );
  });
});
