import type { SeriesBucket } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { batchingSecond } from "./batching-second.ts";

const series: SeriesBucket = {
  model: "m",
  version: "1",
  success: 5,
  failure: 3,
  inferences: 5,
  executions: 3,
  pending: 1,
  sumNs: { request: 0, queue: 0, computeInput: 0, computeInfer: 0, computeOutput: 0 },
  latency: [],
};

describe("batchingSecond()", () => {
  it("adds up versions, and shares busy time between all instances", () => {
    const row = batchingSecond(7, [
      {
        ...series,
        failures: { REJECTED: 2, BACKEND: 1 },
        batchSizes: [[4, 1]],
        closed: { full: 1 },
        busyNs: 1e9,
        instances: 1,
      },
      {
        ...series,
        version: "2",
        batchSizes: [
          [1, 2],
          [4, 1],
        ],
        closed: { full: 1, "delay-over": 2 },
        busyNs: 5e8,
        instances: 2,
      },
    ]);
    expect(row).toEqual({
      t: 7,
      executions: 6,
      inferences: 10,
      refused: 2,
      pending: 2,
      busy: 0.5,
      batchSizes: [
        [1, 2],
        [4, 2],
      ],
      closed: { full: 2, "delay-over": 2 },
    });
  });

  it("says nothing about instances where a node does not, and that nothing happened where nothing did", () => {
    expect(batchingSecond(1, [series])).toMatchObject({ busy: null, batchSizes: [], closed: {} });
    expect(batchingSecond(1, [])).toMatchObject({ busy: 0, executions: 0 });
  });
});
