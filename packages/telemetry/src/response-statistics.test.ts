import { describe, expect, it } from "vitest";
import { ResponseStatistics } from "./response-statistics.ts";

const of = (count: number, ns: number) => ({ count, ns });
const none = of(0, 0);

describe("response statistics", () => {
  it("count each kind of response by the rules of its kind, by index and in order", () => {
    const statistics = new ResponseStatistics();
    statistics.record({ index: 1, outcome: "empty_response", computeInferNs: 5, computeOutputNs: 0 });
    statistics.record({ index: 0, outcome: "success", computeInferNs: 10, computeOutputNs: 2 });
    statistics.record({ index: 0, outcome: "fail", computeInferNs: 3, computeOutputNs: 0 });
    statistics.record({ index: 2, outcome: "cancel", computeInferNs: 7, computeOutputNs: 0 });
    expect(statistics.toJson()).toEqual({
      "0": {
        compute_infer: of(2, 13),
        compute_output: of(1, 2),
        success: of(1, 12),
        fail: of(1, 3),
        empty_response: none,
        cancel: none,
      },
      "1": {
        compute_infer: of(1, 5),
        compute_output: none,
        success: none,
        fail: none,
        empty_response: of(1, 5),
        cancel: none,
      },
      "2": {
        compute_infer: none,
        compute_output: none,
        success: none,
        fail: none,
        empty_response: none,
        cancel: of(1, 7),
      },
    });
    expect(Object.keys(statistics.toJson())).toEqual(["0", "1", "2"]);
  });

  it("do not grow without end", () => {
    const statistics = new ResponseStatistics();
    for (let index = 0; index < 5000; index++)
      statistics.record({ index, outcome: "success", computeInferNs: 1, computeOutputNs: 0 });
    expect(Object.keys(statistics.toJson()).length).toBeLessThanOrEqual(1024);
  });
});
