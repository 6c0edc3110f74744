export { type ChartEvent, LatencyChart } from "./latency-chart.tsx";
export { LatencyLegend } from "./latency-legend.tsx";
export type { LatencyPoint, SeriesKey } from "./latency-series.ts";
export { LatencyTable } from "./latency-table.tsx";
export { type PreparedLatency, prepareLatency } from "./prepare-latency.ts";
export { Sparkline } from "./sparkline.tsx";
