import type { SecondBucket, SeriesBucket } from "@nereid/client";
import { FAILURE_REASONS } from "@nereid/telemetry";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_MODELS } from "../history/history-store.ts";
import { mergeSeries } from "./merge-series.ts";
import { packSecond, unpackSecond } from "./packed-second.ts";
import { seriesIn } from "./series-filter.ts";

const count = fc.nat(1e9);
const pairs = fc
  .uniqueArray(fc.nat(200), { maxLength: 8 })
  .chain((keys) =>
    fc.tuple(...keys.sort((a, b) => a - b).map((key) => fc.tuple(fc.constant(key), fc.integer({ min: 1, max: 1e6 })))),
  );
const sumNs = fc.record({
  request: count,
  queue: count,
  computeInput: count,
  computeInfer: count,
  computeOutput: count,
});
const series: fc.Arbitrary<SeriesBucket> = fc.record(
  {
    model: fc.oneof(fc.constantFrom("a", "b"), fc.string({ minLength: 1 })),
    version: fc.constantFrom("1", "2", "10"),
    success: count,
    failure: count,
    inferences: count,
    executions: count,
    pending: count,
    sumNs,
    latency: pairs,
    failures: fc.dictionary(fc.constantFrom(...FAILURE_REASONS), fc.integer({ min: 1, max: 9 }), {
      noNullPrototype: true,
    }),
    batchSizes: pairs,
    closed: fc.dictionary(fc.constantFrom("full", "delay", "idle"), fc.integer({ min: 1, max: 9 }), {
      noNullPrototype: true,
    }),
    busyNs: count,
    instances: fc.nat(64),
  },
  {
    requiredKeys: ["model", "version", "success", "failure", "inferences", "executions", "pending", "sumNs", "latency"],
  },
);
const second: fc.Arbitrary<SecondBucket> = fc.record(
  {
    t: fc.nat(2e9),
    series: fc
      .uniqueArray(series, { selector: ({ model, version }) => `${model}/${version}`, maxLength: 6 })
      .map((all) => all.filter(({ model }) => model !== ALL_MODELS)),
    node: fc.record({ cpu: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { requiredKeys: ["t", "series"] },
);

describe("a packed second", () => {
  it("comes back as it was, with the fields that were told and no others", () => {
    fc.assert(
      fc.property(second, (bucket) => {
        expect(unpackSecond(packSecond(bucket))).toEqual(bucket);
      }),
    );
  });

  it("gives single models and versions without the others", () => {
    fc.assert(
      fc.property(second, fc.constantFrom("a", "b"), fc.constantFrom(undefined, "2"), (bucket, model, version) => {
        const view = { model, ...(version !== undefined && { version }) };
        expect(unpackSecond(packSecond(bucket), view).series).toEqual(seriesIn(bucket, view));
      }),
    );
  });

  it("knows the sum of all models, and the machine alone", () => {
    fc.assert(
      fc.property(second, (bucket) => {
        const packed = packSecond(bucket);
        expect(mergeSeries(unpackSecond(packed, "all models").series)).toEqual(mergeSeries(bucket.series));
        expect(unpackSecond(packed, "machine")).toEqual({ ...bucket, series: [] });
      }),
    );
  });

  it("of 200 models takes less than a tenth of a kilobyte each, where objects took one and a half", () => {
    const models = Array.from({ length: 200 }, (_, index): SeriesBucket => {
      const sums = { request: 4e6, queue: 1e6, computeInput: 1e5, computeInfer: 2e6, computeOutput: 1e5 };
      const counts = { success: 3, failure: 0, inferences: 3, executions: 2, pending: 1 };
      const latency = [[40, 1] as const, [52, 2] as const];
      const batches = {
        batchSizes: [[1, 1] as const, [2, 1] as const],
        closed: { idle: 2 },
        busyNs: 2e6,
        instances: 1,
      };
      return { model: `model-${index}`, version: "1", ...counts, sumNs: sums, latency, failures: {}, ...batches };
    });
    const { bytes, places } = packSecond({ t: 1, series: models });
    expect((bytes.byteLength + places.byteLength) / 200).toBeLessThan(100);
  });
});
