import { describe, expect, it } from "vitest";
import { CpuSensor, ModelStatistics, PrometheusWriter, renderCpuMetrics, renderModelMetrics } from "./index.ts";

describe("PrometheusWriter", () => {
  it("orders labels, puts le and quantile last, escapes, and omits empty families", () => {
    const writer = new PrometheusWriter();
    writer.family("empty", "gauge", "nothing");
    const family = writer.family("f", "histogram", "a\\b\nc");
    family.sample({ version: "1", le: "+Inf", _tag: 'q"\\\n', model: "m" }, Number.POSITIVE_INFINITY, "_bucket");
    writer.family("f", "histogram", "").sample({ "9bad-name": "x", quantile: "0.5", zz: "1" }, 2.5, "_sum");
    expect(writer.text()).toBe(
      [
        "# HELP f a\\\\b\\nc",
        "# TYPE f histogram",
        'f_bucket{_tag="q\\"\\\\\\n",model="m",version="1",le="+Inf"} +Inf',
        'f_sum{_9bad_name="x",zz="1",quantile="0.5"} 2.5',
        "",
      ].join("\n"),
    );
    expect(new PrometheusWriter().text()).toBe("");
    expect(() => writer.family("f", "gauge", "")).toThrow(TypeError);
  });
});

describe("renderModelMetrics()", () => {
  it("writes the nv_ families and the phase histograms", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0 });
    statistics.setLoadSeconds(1.5);
    const compute = { computeInputNs: 1000, computeInferNs: 900_000, computeOutputNs: 1000 };
    statistics.recordSuccess({ batchSize: 3, requestNs: 1_000_000, queueNs: 7, ...compute });
    statistics.recordExecution({ batchSize: 3, ...compute });
    statistics.recordFailure({ reason: "REJECTED", requestNs: 1 });
    statistics.incrementPending();
    const writer = new PrometheusWriter();
    renderModelMetrics(writer, [{ name: "m", version: "1", statistics, tags: { team: "a" } }]);
    const text = writer.text();
    const labels = '_team="a",model="m"';
    for (const line of [
      `nv_inference_request_success{${labels},version="1"} 1`,
      `nv_inference_request_failure{${labels},reason="REJECTED",version="1"} 1`,
      `nv_inference_request_failure{${labels},reason="CANCELED",version="1"} 0`,
      `nv_inference_request_failure{${labels},reason="BACKEND",version="1"} 0`,
      `nv_inference_request_failure{${labels},reason="OTHER",version="1"} 0`,
      `nv_inference_count{${labels},version="1"} 3`,
      `nv_inference_exec_count{${labels},version="1"} 1`,
      `nv_inference_request_duration_us{${labels},version="1"} 1000`,
      `nv_inference_queue_duration_us{${labels},version="1"} 0`,
      `nv_inference_compute_infer_duration_us{${labels},version="1"} 900`,
      `nv_inference_pending_request_count{${labels},version="1"} 1`,
      `nv_model_load_duration_secs{${labels},version="1"} 1.5`,
      `nereid_inference_request_duration_seconds_bucket{${labels},version="1",le="0.0005"} 0`,
      `nereid_inference_request_duration_seconds_bucket{${labels},version="1",le="0.001"} 1`,
      `nereid_inference_request_duration_seconds_bucket{${labels},version="1",le="+Inf"} 1`,
      `nereid_inference_request_duration_seconds_sum{${labels},version="1"} 0.001`,
      `nereid_inference_compute_output_duration_seconds_count{${labels},version="1"} 1`,
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });

  it("writes nothing without models", () => {
    const writer = new PrometheusWriter();
    renderModelMetrics(writer, []);
    expect(writer.text()).toBe("");
  });
});

describe("CpuSensor", () => {
  const meminfo = "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    400 kB\n";

  it("measures between samples", () => {
    const stats = ["cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 1 1\n", "cpu  20 5 15 120 10 5 3 2 99 0\n"];
    const sensor = new CpuSensor((path) => (path === "/proc/stat" ? (stats.shift() ?? "") : meminfo));
    expect(sensor.sample()).toEqual({ memoryTotalBytes: 1_024_000, memoryUsedBytes: 614_400 });
    const second = sensor.sample();
    expect(second.utilization).toBeCloseTo(30 / 80);
    const writer = new PrometheusWriter();
    renderCpuMetrics(writer, second);
    expect(writer.text()).toContain("nv_cpu_utilization 0.375\n");
    expect(writer.text()).toContain("nv_cpu_memory_used_bytes 614400\n");
    expect(sensor.sample().utilization).toBeUndefined();
  });

  it("leaves out what it cannot read", () => {
    const sensor = new CpuSensor(() => {
      throw new Error("no /proc here");
    });
    expect(sensor.sample()).toEqual({});
  });
});
