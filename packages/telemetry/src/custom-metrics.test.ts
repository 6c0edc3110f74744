import { describe, expect, it } from "vitest";
import { CustomMetrics } from "./custom-metrics.ts";
import { PrometheusWriter } from "./prometheus-writer.ts";

const COUNTER = { family: "words", description: "Words read", kind: "COUNTER", labels: { model: "m" } } as const;
const GAUGE = { ...COUNTER, family: "depth", kind: "GAUGE" } as const;
const HISTOGRAM = { ...COUNTER, family: "lengths", kind: "HISTOGRAM", buckets: [1, 10] } as const;

function page(metrics: CustomMetrics): string {
  const writer = new PrometheusWriter();
  metrics.render(writer);
  return writer.text();
}

describe("CustomMetrics", () => {
  it("counts, sets and observes, and writes it down", () => {
    const metrics = new CustomMetrics();
    expect(metrics.apply("a", { ...COUNTER, action: "declare" })).toBe(0);
    expect(metrics.apply("a", { ...COUNTER, action: "increment", amount: 2 })).toBe(2);
    expect(metrics.apply("a", { ...GAUGE, action: "set", amount: 5 })).toBe(5);
    expect(metrics.apply("a", { ...GAUGE, action: "increment", amount: -2 })).toBe(3);
    for (const amount of [1, 5, 50]) metrics.apply("a", { ...HISTOGRAM, action: "observe", amount });
    expect(metrics.apply("a", { ...GAUGE, action: "value" })).toBe(3);
    expect(page(metrics)).toBe(`# HELP words Words read
# TYPE words counter
words{model="m"} 2
# HELP depth Words read
# TYPE depth gauge
depth{model="m"} 3
# HELP lengths Words read
# TYPE lengths histogram
lengths_bucket{model="m",le="1"} 1
lengths_bucket{model="m",le="10"} 2
lengths_bucket{model="m",le="+Inf"} 3
lengths_sum{model="m"} 56
lengths_count{model="m"} 3
`);
  });

  it("is one metric for all who tell of it, and goes with the last of them", () => {
    const metrics = new CustomMetrics();
    metrics.apply("a", { ...COUNTER, action: "increment", amount: 1 });
    expect(metrics.apply("b", { ...COUNTER, action: "increment", amount: 1 })).toBe(2);
    metrics.left("a");
    expect(metrics.apply("b", { ...COUNTER, action: "value" })).toBe(2);
    metrics.apply("b", { ...COUNTER, action: "remove" });
    expect(page(metrics)).toBe("");
    expect(metrics.apply("b", { ...COUNTER, kind: "GAUGE", action: "declare" })).toBe(0);
  });

  it.each([
    ["another kind", { ...COUNTER, family: "depth", action: "declare" }, "is a GAUGE already"],
    ["a counter that falls", { ...COUNTER, action: "increment", amount: -1 }, "cannot be incremented by -1"],
    ["a counter that is set", { ...COUNTER, action: "set", amount: 1 }, "can only be incremented"],
    ["a gauge that is observed", { ...GAUGE, action: "observe", amount: 1 }, "is no histogram"],
    ["what is no number", { ...GAUGE, action: "set", amount: Number.NaN }, "needs a finite number"],
    ["a name of the server's", { ...GAUGE, family: "nv_inference_count", action: "declare" }, "the server's own"],
    ["a name Prometheus refuses", { ...GAUGE, family: "no name", action: "declare" }, "is no name for a metric"],
    ["a histogram without buckets", { ...HISTOGRAM, buckets: [], action: "declare" }, "needs 1 to"],
    ["buckets out of order", { ...HISTOGRAM, buckets: [2, 1], action: "declare" }, "must be ascending"],
  ] as const)("refuses %s in words", (_what, call, words) => {
    const metrics = new CustomMetrics();
    metrics.apply("a", { ...GAUGE, action: "declare" });
    expect(() => metrics.apply("a", call)).toThrow(words);
    expect(page(metrics)).not.toContain("undefined");
  });

  it.each([
    ["an empty label name", { ...GAUGE, labels: { "": "x" } }, "no name for a label"],
    ["a label name with a space", { ...GAUGE, labels: { "a b": "x" } }, "no name for a label"],
    ["a label name of Prometheus's own", { ...GAUGE, labels: { __name__: "x" } }, "no name for a label"],
    ["the label of a histogram's buckets", { ...HISTOGRAM, labels: { le: "1" } }, "no name for a label"],
    ["an endless description", { ...GAUGE, description: "x".repeat(1_001) }, "at most 1000 characters"],
    [
      "labels without end",
      { ...GAUGE, labels: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`l${at}`, "x"])) },
      "more than 50 labels",
    ],
  ] as const)("keeps the page readable: refuses %s", (_what, call, words) => {
    const metrics = new CustomMetrics();
    expect(() => metrics.apply("a", { ...call, action: "declare" })).toThrow(words);
    expect(page(metrics)).toBe("");
  });

  it("does not grow without end", () => {
    const metrics = new CustomMetrics();
    for (let at = 0; at < 10_000; at++) metrics.apply("a", { ...GAUGE, labels: { at: String(at) }, action: "declare" });
    expect(() => metrics.apply("a", { ...GAUGE, labels: { at: "more" }, action: "declare" })).toThrow(
      "fewer different",
    );
    metrics.left("a");
    expect(metrics.apply("a", { ...GAUGE, action: "declare" })).toBe(0);
  });
});
