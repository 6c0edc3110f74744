import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumsOf } from "../history/series-sums.ts";
import { latencyFigures } from "../metrics/latency-row.ts";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { checkBucket, checkedBuckets } from "./checked-buckets.ts";

const NOW = 1_700_000_000;

describe("checkBucket()", () => {
  it("leaves a good second as it is", () => {
    const series = seriesOf("m", [1, 2, 40], {
      failures: { REJECTED: 2 },
      batchSizes: [[1, 3]],
      closed: { full: 3 },
      busyNs: 5,
      instances: 1,
    });
    const good = { ...bucketOf(NOW, series), node: { cpu: 0.5, gpus: [{ index: 0, name: "a", powerWatts: 9 }] } };
    expect(checkBucket(good, NOW)).toEqual(good);
    expect(checkBucket(bucketOf(NOW), NOW)).toEqual({ t: NOW, series: [] });
  });

  it("a node that lies spoils nothing: what makes no sense is left out", () => {
    const bad = {
      ...seriesOf("m", [1]),
      success: -3,
      failure: "x",
      latency: [
        [-5, 2.5],
        [3, -1],
        [1e9, 1],
        [40, 2],
      ],
      batchSizes: [[-1, "x"]],
      closed: { full: Number.NaN },
    };
    const cleaned = checkBucket(
      { t: NOW, series: [bad, null, 7, { model: 1 }], node: { cpu: "NaN", gpus: { a: 1 } } },
      NOW,
    );
    expect(cleaned.node).toEqual({});
    expect(cleaned.series).toHaveLength(1);
    expect(cleaned.series[0]).toMatchObject({ success: 0, failure: 0, latency: [[40, 2]], batchSizes: [], closed: {} });
  });

  it.each([undefined, null, 7, "x", {}, { t: NOW }, { t: NOW, series: {} }])("%j is no second", (value) => {
    expect(() => checkBucket(value, NOW)).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
  });

  it.each([NOW + 301, NOW - 90_000, Number.NaN, 1.5, "1"])("a clock at %s is far off", (t) => {
    expect(() => checkBucket({ t, series: [] }, NOW)).toThrow(/clock/);
  });

  it("whatever comes, what is let through can be added up", () => {
    const anything = fc.anything({ maxDepth: 2 });
    const series = fc.array(
      fc.record({
        model: fc.string(),
        version: fc.string(),
        success: anything,
        sumNs: anything,
        latency: fc.oneof(anything, fc.array(fc.tuple(fc.integer(), fc.double()))),
        batchSizes: fc.oneof(anything, fc.array(fc.tuple(fc.integer(), fc.integer()))),
        closed: anything,
        failures: anything,
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(series, anything, (all, node) => {
        for (const one of checkBucket({ t: NOW, series: all, node }, NOW).series) {
          expect(Number.isFinite(latencyFigures(sumsOf(one)).count)).toBe(true);
        }
      }),
    );
  });
});

it("a stream ends at the first second that is none, so that it is opened anew", async () => {
  async function* stream() {
    yield bucketOf(NOW);
    yield { t: NOW + 1e9, series: [] };
  }
  const seen: number[] = [];
  const read = async () => {
    for await (const { t } of checkedBuckets(stream(), { now: () => NOW * 1000 })) seen.push(t);
  };
  await expect(read()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(seen).toEqual([NOW]);
});
