import { describe, expect, it } from "vitest";
import { nodeCharts } from "./node-charts.ts";

const none = { requestsPerSecond: 1, failuresPerSecond: 0 };

describe("the charts of a node", () => {
  it("are only those that it tells something for", () => {
    const charts = nodeCharts({ step: 1, points: [{ t: 1, ...none, cpu: 0.5 }] });
    expect(charts.map(({ key }) => key)).toEqual(["traffic", "cpu"]);
  });

  it("have a line for each GPU, and gaps where one was not told", () => {
    const points = [
      { t: 1, ...none, gpus: [{ index: 0, utilization: 0.5, eccErrors: 1 }, { index: 1 }] },
      { t: 2, ...none, gpus: [{ index: 0, utilization: 0.7, eccErrors: 2, xidErrors: 1 }] },
    ];
    const charts = nodeCharts({ step: 10, points });
    const chart = charts.find(({ key }) => key === "gpu");
    expect(chart?.lines.map(({ label }) => label)).toEqual(["GPU 0", "GPU 1"]);
    expect(chart?.rows.map(({ values }) => values)).toEqual([{ 0: 0.5, 1: null }, { 0: 0.7 }]);
    expect(charts.find(({ key }) => key === "errors")?.rows.map(({ values }) => values["0"])).toEqual([1, 3]);
    expect(charts.some(({ key }) => key === "power")).toBe(false);
  });
});
