import { describe, expect, it } from "vitest";
import {
  CpuSensor,
  ModelStatistics,
  PrometheusWriter,
  renderCpuMetrics,
  renderGpuMetrics,
  renderModelMetrics,
  SummaryWindows,
} from "./index.ts";

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

  const compute = { computeInputNs: 1000, computeInferNs: 2000, computeOutputNs: 3000 };

  it("stops counting without latency counters, as Triton does", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0 });
    statistics.recordSuccess({ batchSize: 3, requestNs: 1_000_000, queueNs: 7, ...compute });
    const writer = new PrometheusWriter();
    renderModelMetrics(writer, [{ name: "m", version: "1", statistics }], { counterLatencies: false });
    const text = writer.text();
    expect(text).toContain('nv_inference_request_success{model="m",version="1"} 0\n');
    expect(text).toContain('nv_inference_count{model="m",version="1"} 0\n');
    expect(text).not.toContain("_duration_us");
    expect(text).toContain('nereid_inference_request_duration_seconds_count{model="m",version="1"} 1\n');
  });

  it("gives every GPU its own series, and leaves pending and load time without one", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0, gpuUuids: ["GPU-1"] });
    statistics.setLoadSeconds(2);
    statistics.recordSuccess({ batchSize: 3, requestNs: 1_000_000, queueNs: 7, ...compute, gpuUuid: "GPU-1" });
    const writer = new PrometheusWriter();
    renderModelMetrics(writer, [{ name: "m", version: "1", namespace: "n", statistics }]);
    const lines = writer.text().split("\n");
    const gpu = 'gpu_uuid="GPU-1",model="m",namespace="n"';
    const none = 'model="m",namespace="n"';
    for (const line of [
      `nv_inference_request_success{${none},version="1"} 0`,
      `nv_inference_request_success{${gpu},version="1"} 1`,
      `nv_inference_request_failure{${gpu},reason="BACKEND",version="1"} 0`,
      `nv_inference_count{${gpu},version="1"} 3`,
      `nv_inference_compute_infer_duration_us{${gpu},version="1"} 2`,
      `nv_inference_pending_request_count{${none},version="1"} 0`,
      `nv_model_load_duration_secs{${none},version="1"} 2`,
    ])
      expect(lines).toContain(line);
    expect(
      lines.filter((line) => line.startsWith("nv_model_load") || line.startsWith("nv_inference_pending")),
    ).toHaveLength(2);
  });

  it("writes summaries with the quantile last, in microseconds", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0 });
    for (let at = 0; at < 100; at += 1)
      statistics.recordSuccess({ batchSize: 1, requestNs: 1_000_000, queueNs: 7000, ...compute });
    const writer = new PrometheusWriter();
    const summaries = { quantiles: [0.5, 0.99], windows: new SummaryWindows() };
    renderModelMetrics(writer, [{ name: "m", version: "1", statistics }], { summaries });
    const text = writer.text();
    expect(text).toContain("# TYPE nv_inference_request_summary_us summary");
    expect(text).toContain('nv_inference_queue_summary_us_sum{model="m",version="1"} 700\n');
    expect(text).toContain('nv_inference_queue_summary_us_count{model="m",version="1"} 100\n');
    const value = Number(
      /nv_inference_request_summary_us\{model="m",version="1",quantile="0.99"\} (.*)/.exec(text)?.[1],
    );
    expect(Math.abs(value - 1000)).toBeLessThan(32);
  });

  it("leaves the request summary of a model with the response cache out, and writes the cache families", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0, cached: true });
    statistics.cache?.recordHit(1000);
    const writer = new PrometheusWriter();
    const summaries = { quantiles: [0.5], windows: new SummaryWindows() };
    renderModelMetrics(writer, [{ name: "m", version: "1", statistics }], { summaries });
    const text = writer.text();
    expect(text).not.toContain("nv_inference_request_summary_us");
    expect(text).toContain('nv_inference_queue_summary_us{model="m",version="1",quantile="0.5"} NaN\n');
    expect(text).toContain('nv_cache_num_hits_per_model{model="m",version="1"} 1\n');
    expect(text).toContain('nv_cache_num_misses_per_model{model="m",version="1"} 0\n');
    expect(text).toContain('nv_cache_hit_duration_per_model{model="m",version="1"} 1\n');
  });

  it("writes the first-response histogram where it is kept", () => {
    const statistics = new ModelStatistics({ nowMs: () => 0, firstResponseBoundsMs: [100, 500] });
    statistics.recordSuccess({ batchSize: 1, requestNs: 200e6, queueNs: 0, ...compute });
    const writer = new PrometheusWriter();
    renderModelMetrics(writer, [{ name: "m", version: "1", statistics }]);
    const text = writer.text();
    const name = "nv_inference_first_response_histogram_ms";
    expect(text).toContain(`${name}_bucket{model="m",version="1",le="100"} 0\n`);
    expect(text).toContain(`${name}_bucket{model="m",version="1",le="500"} 1\n`);
    expect(text).toContain(`${name}_bucket{model="m",version="1",le="+Inf"} 1\n`);
    expect(text).toContain(`${name}_sum{model="m",version="1"} 200\n`);
  });

  it("writes nothing without models", () => {
    const writer = new PrometheusWriter();
    renderModelMetrics(writer, []);
    expect(writer.text()).toBe("");
  });
});

describe("renderGpuMetrics()", () => {
  it("writes what each GPU tells", () => {
    const writer = new PrometheusWriter();
    renderGpuMetrics(writer, [
      { uuid: "GPU-1", utilization: 0.25, memoryTotalBytes: 10, memoryUsedBytes: 4, powerWatts: 90.5, energyJoules: 3 },
      { uuid: "GPU-2", utilization: 1 },
    ]);
    const text = writer.text();
    expect(text).toContain('nv_gpu_utilization{gpu_uuid="GPU-1"} 0.25\nnv_gpu_utilization{gpu_uuid="GPU-2"} 1\n');
    expect(text).toContain('nv_gpu_power_usage{gpu_uuid="GPU-1"} 90.5\n');
    expect(text).toContain("# TYPE nv_energy_consumption counter\n");
    expect(text).not.toContain("nv_gpu_power_limit");
  });

  it("writes what has more than one value of a GPU with a label for it", () => {
    const writer = new PrometheusWriter();
    renderGpuMetrics(writer, [
      {
        uuid: "GPU-1",
        name: "Model 1",
        correctedErrors: 7,
        uncorrectedErrors: 0,
        throttleReasons: { sw_power_cap: true, gpu_idle: false },
        xids: { 79: 2 },
      },
    ]);
    const samples = writer
      .text()
      .split("\n")
      .filter((line) => line.startsWith("nereid_"));
    expect(samples).toEqual([
      'nereid_gpu_info{gpu_uuid="GPU-1",name="Model 1"} 1',
      'nereid_gpu_ecc_errors_total{gpu_uuid="GPU-1",kind="corrected"} 7',
      'nereid_gpu_ecc_errors_total{gpu_uuid="GPU-1",kind="uncorrected"} 0',
      'nereid_gpu_throttled{gpu_uuid="GPU-1",reason="sw_power_cap"} 1',
      'nereid_gpu_throttled{gpu_uuid="GPU-1",reason="gpu_idle"} 0',
      'nereid_gpu_xid_errors_total{gpu_uuid="GPU-1",xid="79"} 2',
    ]);
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
