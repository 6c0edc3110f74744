import type { NodeReadings, NodeStep } from "@nereid/services";
import { formatBytes, formatDuration, formatNumber, formatShare } from "@nereid/ui";
import { type LineLook, type LineRow, splitLooks } from "@nereid/ui/charts";
import { shareOf } from "./node-figures.ts";

export interface NodeChart {
  readonly key: string;
  readonly title: string;
  /** What a point is: mean or greatest, and of what. */
  readonly hint: string;
  readonly lines: readonly LineLook[];
  readonly rows: readonly LineRow[];
  readonly format: (value: number | null) => string;
  readonly unit?: "bytes";
}

const LINE: LineLook = { key: "value", label: "", color: "var(--series-infer)" };
const SECOND: LineLook = { key: "second", label: "", color: "var(--series-queue)", dash: "6 3" };

type Value = number | null | undefined;

/** The charts that a node's readings are enough for: what no step tells has none. */
export function nodeCharts({ points, step }: Pick<NodeReadings, "points" | "step">): NodeChart[] {
  const per = step === 1 ? "second" : `${step} s`;
  const one = (label: string, pick: (point: NodeStep) => Value) => ({
    lines: [{ ...LINE, label }],
    rows: points.map((point): LineRow => ({ t: point.t, values: { value: pick(point) ?? null } })),
  });
  const charts: NodeChart[] = [
    {
      key: "traffic",
      title: "Requests per second",
      hint: `Mean of each ${per}, all models`,
      format: formatNumber,
      lines: [
        { ...LINE, label: "Requests" },
        { ...SECOND, label: "Failed" },
      ],
      rows: points.map(({ t, requestsPerSecond, failuresPerSecond }) => ({
        t,
        values: { value: requestsPerSecond, second: failuresPerSecond },
      })),
    },
    {
      key: "cpu",
      title: "CPU",
      hint: `Share of all processors in use, mean of each ${per}`,
      format: formatShare,
      ...one("CPU", ({ cpu }) => cpu),
    },
    {
      key: "memory",
      title: "Memory",
      hint: `Mean of each ${per}`,
      format: formatBytes,
      unit: "bytes",
      lines: [
        { ...LINE, label: "Machine, in use" },
        { ...SECOND, label: "Server and its models" },
      ],
      rows: points.map(({ t, memoryUsedBytes = null, rssBytes = null }) => ({
        t,
        values: { value: memoryUsedBytes, second: rssBytes },
      })),
    },
    {
      key: "lag",
      title: "Event-loop lag",
      hint: `Greatest of each ${per}`,
      format: formatDuration,
      ...one("Lag", ({ eventLoopLagMs }) => eventLoopLagMs),
    },
    ...gpuCharts(points, per),
  ];
  return charts.filter(({ rows }) => rows.some(({ values }) => Object.values(values).some((value) => value !== null)));
}

type Gpu = NonNullable<NodeStep["gpus"]>[number];

function gpuCharts(points: readonly NodeStep[], per: string): NodeChart[] {
  const indexes = [...new Set(points.flatMap(({ gpus = [] }) => gpus.map(({ index }) => String(index))))].sort();
  const lines = splitLooks(indexes, (index) => `GPU ${index}`);
  const rowsOf = (pick: (gpu: Gpu) => Value) =>
    points.map(({ t, gpus = [] }) => ({
      t,
      values: Object.fromEntries(gpus.map((gpu) => [String(gpu.index), pick(gpu) ?? null])),
    }));
  const mean = `Mean of each ${per}`;
  const most = `Greatest of each ${per}`;
  const watts = (value: number | null) => (value === null ? "–" : `${formatNumber(value)} W`);
  const degrees = (value: number | null) => (value === null ? "–" : `${formatNumber(value)} °C`);
  return [
    { key: "gpu", title: "GPU utilisation", hint: mean, format: formatShare, rows: rowsOf((gpu) => gpu.utilization) },
    {
      key: "gpu-memory",
      title: "GPU memory",
      hint: `Share in use, ${mean.toLowerCase()}`,
      format: formatShare,
      rows: rowsOf((gpu) => shareOf(gpu.memoryUsedBytes, gpu.memoryTotalBytes)),
    },
    { key: "power", title: "GPU power", hint: mean, format: watts, rows: rowsOf((gpu) => gpu.powerWatts) },
    {
      key: "temperature",
      title: "GPU temperature",
      hint: most,
      format: degrees,
      rows: rowsOf((gpu) => gpu.temperatureCelsius),
    },
    {
      key: "errors",
      title: "GPU errors",
      hint: `ECC and Xid together, since the start; ${most.toLowerCase()}`,
      format: formatNumber,
      rows: rowsOf(({ eccErrors, xidErrors }) =>
        eccErrors === undefined && xidErrors === undefined ? null : (eccErrors ?? 0) + (xidErrors ?? 0),
      ),
    },
  ].map((chart) => ({ ...chart, lines }));
}
