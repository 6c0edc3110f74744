import type { TuningGpu, TuningMeasurement, TuningPoint, TuningResult } from "./tuning-types.ts";

type Row = { readonly result: TuningResult; readonly point: TuningPoint & { readonly measured: TuningMeasurement } };

/** `metrics-model-inference.csv` with Model Analyzer's columns, and some of ours behind them; the best of each model first. Pure. */
export function inferenceCsv(results: readonly TuningResult[]): string {
  const load = results.some(({ spec }) => spec.load.kind !== "concurrency") ? "request_rate" : "concurrency";
  const head = `model_name,batch_size,${load},model_config_path,instance_group,max_batch_size,satisfies_constraints,perf_throughput,perf_latency_p99,perf_latency_avg,perf_latency_p90,perf_latency_p95,goodput,cpu_used_ram`;
  const lines = rowsOf(results).map(({ result, point: { measured, setting, ...point } }) =>
    [
      result.spec.model,
      point.requestBatch,
      point.level,
      point.config,
      instanceGroup(setting.instances, result),
      setting.maxBatchSize,
      point.passes === true ? "Yes" : "No",
      number(measured.throughput, 1),
      ...[measured.p99Us, measured.averageUs, measured.p90Us, measured.p95Us].map((us) => number(us / 1000, 3)),
      number(measured.goodput, 1),
      measured.memoryMb === null ? "" : number(measured.memoryMb, 1),
    ]
      .map(cell)
      .join(","),
  );
  return `${[head, ...lines].join("\n")}\n`;
}

/** `metrics-model-gpu.csv`: a line for each measurement and GPU. Pure. */
export function gpuCsv(results: readonly TuningResult[]): string {
  const load = results.some(({ spec }) => spec.load.kind !== "concurrency") ? "request_rate" : "concurrency";
  const head = `model_name,gpu_uuid,batch_size,${load},model_config_path,instance_group,satisfies_constraints,gpu_used_memory,gpu_utilization,gpu_power_usage`;
  const lines = rowsOf(results).flatMap(({ result, point }) =>
    point.measured.gpus.map((gpu) =>
      [
        result.spec.model,
        gpu.uuid,
        point.requestBatch,
        point.level,
        point.config,
        instanceGroup(point.setting.instances, result),
        point.passes === true ? "Yes" : "No",
        ...gpuCells(gpu),
      ]
        .map(cell)
        .join(","),
    ),
  );
  return `${[head, ...lines].join("\n")}\n`;
}

/** `metrics-server-only.csv`: what GPUs were like at the first measurement. Pure. */
export function serverCsv(results: readonly TuningResult[]): string {
  const head = "model_name,gpu_uuid,gpu_used_memory,gpu_utilization,gpu_power_usage";
  const [first] = rowsOf(results);
  const lines = (first?.point.measured.gpus ?? []).map((gpu) =>
    ["triton-server", gpu.uuid, ...gpuCells(gpu)].map(cell).join(","),
  );
  return `${[head, ...lines].join("\n")}\n`;
}

function rowsOf(results: readonly TuningResult[]): Row[] {
  return results.flatMap((result) =>
    result.points.flatMap((point) =>
      point.measured === null ? [] : [{ result, point: { ...point, measured: point.measured } }],
    ),
  );
}

function gpuCells({ usedMb, utilization, powerWatts }: TuningGpu): string[] {
  return [number(usedMb, 1), number(utilization, 1), number(powerWatts, 1)];
}

function instanceGroup(instances: number, { configs }: TuningResult): string {
  const groups = JSON.stringify(configs[0]?.fields["instance_group"] ?? "");
  return `${instances}:${groups.includes("KIND_GPU") ? "GPU" : "CPU"}`;
}

function number(value: number, digits: number): string {
  return value.toFixed(digits);
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
