import { expect, it } from "vitest";
import { versionKey } from "./difference-statistics.ts";
import { readMetricsPage } from "./read-metrics-page.ts";

const PAGE = `# HELP nv_cpu_utilization CPU utilization rate [0.0 - 1.0]
# TYPE nv_cpu_utilization gauge
nv_cpu_utilization 0.25
nv_cpu_memory_total_bytes 67108864
nv_cpu_memory_used_bytes 33554432
nv_gpu_utilization{gpu_uuid="GPU-a"} 0.5
nv_gpu_utilization{gpu_uuid="GPU-b"} 0
nv_gpu_memory_used_bytes{gpu_uuid="GPU-b"} 1024
nv_gpu_power_usage{gpu_uuid="GPU-a"} 61.5
nv_inference_pending_request_count{model="a \\"b\\"",version="1"} 3
nv_inference_request_success{model="m",version="1"} NaN
not a metric at all
`;

it("takes the machine, its GPUs and what is pending from a metrics page", () => {
  const { node, pending } = readMetricsPage(PAGE);
  expect(node).toEqual({
    cpu: 0.25,
    memoryTotalBytes: 67108864,
    memoryUsedBytes: 33554432,
    gpus: [
      { index: 0, name: "GPU-a", utilization: 0.5, powerWatts: 61.5 },
      { index: 1, name: "GPU-b", utilization: 0, memoryUsedBytes: 1024 },
    ],
  });
  expect([...pending]).toEqual([[versionKey('a "b"', "1"), 3]]);
});

it("says nothing of a machine that the page does not tell of", () => {
  expect(readMetricsPage("").node).toBeUndefined();
});
