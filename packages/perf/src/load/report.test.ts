import { describe, expect, it } from "vitest";
import { gpuFigures } from "./gpu-figures.ts";
import { profileExport } from "./profile-export.ts";
import { composingCsv, reportCsv } from "./report-csv.ts";
import { levelTitle, reportHead } from "./report-head.ts";
import { reportLevel } from "./report-level.ts";
import { passLine, reportSummary } from "./report-summary.ts";
import { countersOf, recordOf, windowOf } from "./testing/records.ts";
import { levelOf, SETTINGS } from "./testing/settings.ts";

describe("the report", () => {
  it("begins with the settings", () => {
    expect(reportHead(SETTINGS)).toEqual([
      "*** Measurement Settings ***",
      "  Batch size: 1",
      "  Service Kind: TRITON",
      '  Using "time_windows" mode for stabilization',
      "  Stabilizing using average latency and throughput",
      "  Measurement window: 5000 msec",
      "  Using synchronous calls for inference",
    ]);
    const other = {
      ...SETTINGS,
      percentile: 95,
      mode: "request_rate" as const,
      lastLevel: 300,
      latencyLimitMs: 20,
      asynchronous: true,
      measurement: { kind: "count_windows" as const, requests: 50 },
      distribution: "poisson" as const,
    };
    expect(reportHead(other).slice(3)).toEqual([
      '  Using "count_windows" mode for stabilization',
      "  Stabilizing using p95 latency and throughput",
      "  Minimum number of samples in each window: 50",
      "  Latency limit: 20 msec",
      "  Request Rate limit: 300 requests per seconds",
      "  Using poisson distribution on request generation",
      "  Using asynchronous calls for inference",
    ]);
    expect(levelTitle("concurrency", 4)).toBe("Request concurrency: 4");
    expect(levelTitle("request_rate", 12.5)).toBe("Request Rate: 12.5 inference requests per seconds");
  });

  it("puts client and server side by side", () => {
    expect(reportLevel(levelOf(1, 100, 2), SETTINGS)).toEqual([
      "  Client: ",
      "    Request count: 100",
      "    Throughput: 100 infer/sec",
      "    Avg latency: 2000 usec (standard deviation 0 usec)",
      "    p50 latency: 2000 usec",
      "    p90 latency: 2000 usec",
      "    p95 latency: 2000 usec",
      "    p99 latency: 2000 usec",
      "    Avg HTTP time: 2000 usec (send/recv 0 usec + response wait 2000 usec)",
      "  Server: ",
      "    Inference count: 100",
      "    Execution count: 100",
      "    Successful request count: 100",
      "    Avg request latency: 140 usec (overhead 20 usec + queue 10 usec + compute input 5 usec + compute infer 100 usec + compute output 5 usec)",
    ]);
  });

  it("tells in an open loop what waited, what was late, what failed, and the server's own side", () => {
    const waited = recordOf(100, 5, { dueMs: 0 });
    const window = windowOf(0, 0, { requests: [waited, waited], failed: 2, late: 1 });
    const lines = reportLevel({ ...levelOf(50, 0, 0), mode: "request_rate", window }, SETTINGS);
    expect(lines).toContain("    Failed request count: 2 (50.00%)");
    expect(lines).toContain("    Late send count: 1 (25.00%)");
    expect(lines).toContain("    p99 latency: 105000 usec");
    expect(lines.at(-1)).toContain("sent, not due: avg 5000 usec, p50 5000 usec");
  });

  it("has a block for each model of an ensemble, the cache, sequences, gRPC and a percentile where there are", () => {
    const window = windowOf(10, 1, { server: [countersOf("m", 10), countersOf("part", 20)] });
    const settings = {
      ...SETTINGS,
      cached: true,
      sequences: true,
      decoupled: true,
      protocol: "grpc",
      percentile: 75,
    } as const;
    const text = reportLevel({ ...levelOf(1, 1, 1), window }, settings).join("\n");
    expect(text).toContain("    part, version: 1\n        Inference count: 20");
    expect(text).toContain("    Cache hit count: 0\n    Cache miss count: 0");
    expect(text).toContain("    Sequence count: 0 (0 seq/sec)");
    expect(text).toContain("    Response Throughput: 10 infer/sec");
    expect(text).toContain("    p50 latency: 1000 usec\n    p75 latency: 1000 usec");
    expect(text).toContain("Avg gRPC time: 1000 usec ((un)marshal request/response 0 usec + response wait 1000 usec)");
    expect(text).not.toContain("Avg latency");
  });

  it("ends with a line for each level", () => {
    expect(reportSummary([levelOf(1, 100, 2), levelOf(2, 150, 3)], SETTINGS)).toEqual([
      "Inferences/Second vs. Client Average Batch Latency",
      "Concurrency: 1, throughput: 100 infer/sec, latency 2000 usec",
      "Concurrency: 2, throughput: 150 infer/sec, latency 3000 usec",
    ]);
    expect(passLine(2, windowOf(10, 1), { ...SETTINGS, percentile: 99 })).toBe(
      "  Pass [2] throughput: 10 infer/sec. p99 latency: 1000 usec.",
    );
  });
});

describe("the CSV", () => {
  it("has perf_analyzer's columns, rows by throughput", () => {
    expect(reportCsv([levelOf(2, 200, 3), levelOf(1, 100, 2)], SETTINGS, { verbose: true, gpus: false })).toBe(
      "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,p50 latency,p90 latency,p95 latency,p99 latency,Avg latency,request/response,response wait\n" +
        "1,100,0,1880,10,5,100,5,0,2000,2000,2000,2000,2000,0,2000\n" +
        "2,200,0,2880,10,5,100,5,0,3000,3000,3000,3000,3000,0,3000\n",
    );
  });

  it("has columns of the cache, of answers, of a percentile and of GPUs where they are wanted", () => {
    const gpus = gpuFigures([
      'nv_gpu_utilization{gpu_uuid="GPU-1"} 0.5\nnv_gpu_memory_used_bytes{gpu_uuid="GPU-1"} 7\nnv_gpu_memory_total_bytes{gpu_uuid="GPU-1"} 9\nnv_other{gpu_uuid="GPU-1"} 3',
      'nv_gpu_utilization{gpu_uuid="GPU-1"} 0.25\nnv_gpu_power_usage{gpu_uuid="GPU-1"} 80\nnv_gpu_memory_used_bytes{gpu_uuid="GPU-1"} 5',
    ]);
    const settings = { ...SETTINGS, cached: true, decoupled: true, percentile: 75, mode: "request_rate" as const };
    const [head = "", row = ""] = reportCsv([levelOf(1, 100, 2, { gpus })], settings, {
      verbose: true,
      gpus: true,
    }).split("\n");
    expect(head).toMatch(
      /^Request Rate,Inferences\/Second,Response Throughput,.*Server Cache Hit,Server Cache Miss,Client Recv,p50 latency,p75 latency/,
    );
    expect(head).toMatch(
      /p99 latency,request\/response,response wait,Avg GPU Utilization,Avg GPU Power Usage,Max GPU Memory Usage,Total GPU Memory$/,
    );
    expect(row).toMatch(/,GPU-1:0.375;,GPU-1:80;,GPU-1:7;,GPU-1:9;$/);
  });

  it("has a table for each model of an ensemble", () => {
    const window = windowOf(10, 1, { server: [countersOf("m", 10), countersOf("part", 20)] });
    expect(composingCsv([{ ...levelOf(1, 1, 1), window }], SETTINGS, "part")).toMatch(
      /Client Recv\n1,10,0,880,10,5,100,5,0\n$/,
    );
  });
});

it("the export has every request with the times of its answers, in nanoseconds", () => {
  const window = windowOf(0, 0, { requests: [recordOf(1.5, 2, { responsesMs: [2, 3.5], sequenceId: 4 })] });
  const text = profileExport([{ ...levelOf(3, 0, 0), window }], SETTINGS, {
    epochOffsetMs: 1_700_000_000_000,
    inputs: [{ IN: [1] }],
    version: "1",
  });
  expect(text).toContain('"timestamp":1700000000001500000,');
  expect(JSON.parse(text)).toEqual({
    experiments: [
      {
        experiment: { mode: "concurrency", value: 3 },
        requests: [
          {
            timestamp: 1.7000000000015e18,
            sequence_id: 4,
            request_inputs: { IN: [1] },
            response_timestamps: [1.700000000002e18, 1.7000000000035e18],
            response_outputs: [],
          },
        ],
        window_boundaries: [1.7e18, 1.700000001e18],
      },
    ],
    version: "1",
    service_kind: "triton",
    endpoint: "",
  });
});
