import { parseModelConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { freeDimensions, hasShapes, shapesCsv, sortedRows } from "./shape-words.ts";
import { type Observed, suggestBuckets } from "./suggest-buckets.ts";
import { withWarmUp } from "./warm-up-edit.ts";

/** Padded elements with these edges. */
function padded(observed: readonly Observed[], edges: readonly number[]): number {
  return observed.reduce(
    (sum, { value, count }) => sum + count * (edges.find((edge) => edge >= value) ?? Number.NaN),
    0,
  );
}

describe("suggestBuckets()", () => {
  it("finds the edges that pad least, as trying all of them does", () => {
    const observed = [3, 5, 8, 13, 40, 41, 90].map((value, at) => ({ value, count: 10 + ((at * 7) % 5) }));
    const values = observed.map(({ value }) => value);
    let least = Number.POSITIVE_INFINITY;
    for (const a of values)
      for (const b of values)
        for (const c of values)
          least = Math.min(
            least,
            padded(
              observed,
              [...new Set([a, b, c, 90])].sort((x, y) => x - y),
            ),
          );
    const plan = suggestBuckets(observed, 4);
    expect(plan?.edges.at(-1)).toBe(90);
    expect(padded(observed, plan?.edges ?? [])).toBe(least);
    const total = observed.reduce((sum, { value, count }) => sum + value * count, 0);
    expect(plan?.waste).toBeCloseTo((least - total) / least);
    expect(plan?.wasteOfOne).toBeGreaterThan(plan?.waste ?? 1);
  });

  it("needs no more edges than there are values, nor more than save something", () => {
    expect(suggestBuckets([{ value: 7, count: 3 }])).toEqual({ edges: [7], waste: 0, wasteOfOne: 0 });
    expect(
      suggestBuckets([
        { value: 100, count: 1 },
        { value: 99, count: 1 },
      ])?.edges,
    ).toEqual([100]);
    expect(
      suggestBuckets([
        { value: 10, count: 1 },
        { value: 100, count: 1 },
      ]),
    ).toMatchObject({ edges: [10, 100], waste: 0 });
    expect(suggestBuckets([])).toBeNull();
  });
});

const row = (length: number, count: number, firstSeenMs = 0) => ({
  inputs: [{ name: "x", shape: [length, 3] }],
  count,
  meanNs: 1e6,
  p99Ns: length * 1e6,
  firstSeenMs,
  lastSeenMs: 1000,
  alone: 0,
  cutShort: 0,
});
const inputs = [{ name: "x", datatype: "FP32", dims: [-1, 3], ragged: false }];

describe("shapes", () => {
  it("are sorted as is chosen, and tell which dimensions change", () => {
    const rows = [row(4, 9, 5), row(16, 2, 7)];
    expect(sortedRows(rows, "p99")[0]?.inputs[0]?.shape[0]).toBe(16);
    expect(sortedRows(rows, "first")[0]?.firstSeenMs).toBe(7);
    expect(freeDimensions({ inputs, rows })).toEqual([
      {
        input: "x",
        axis: 0,
        observed: [
          { value: 4, count: 9 },
          { value: 16, count: 2 },
        ],
      },
    ]);
  });

  it("are exported with names that no spreadsheet takes for a formula", () => {
    const csv = shapesCsv({ version: "1", rows: [{ ...row(4, 9), inputs: [{ name: '=a"b', shape: [4] }] }] });
    expect(csv.split("\r\n")[1]).toBe(
      `1,"'=a""b 4",9,1.000,4.000,1970-01-01T00:00:00.000Z,1970-01-01T00:00:01.000Z,0,0`,
    );
  });

  it("find the requests that had them, with and without a batch dimension", () => {
    const request = { shapes: [{ name: "x", shape: [2, 4, 3] }] };
    expect(hasShapes(request, [{ name: "x", shape: [4, 3] }], true)).toBe(true);
    expect(hasShapes(request, [{ name: "x", shape: [4, 3] }], false)).toBe(false);
  });

  it("become a warm-up sample of a configuration that is otherwise as it was", () => {
    const text = withWarmUp("# mine\nmax_batch_size: 8\n", row(4, 1).inputs, { inputs, maxBatchSize: 8 });
    expect(text).toContain("# mine");
    const { config, diagnostics } = parseModelConfig(text);
    expect(diagnostics).toEqual([]);
    expect(config?.modelWarmup[0]).toMatchObject({ name: "seen: x 4×3", batchSize: 1 });
    expect(config?.modelWarmup[0]?.inputs["x"]?.dims.map(Number)).toEqual([4, 3]);
  });
});
