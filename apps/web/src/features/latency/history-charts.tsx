"use client";

import type { ModelHistory } from "@nereid/services";
import { formatDuration, formatNumber } from "@nereid/ui";
import { type ChartEvent, type LineLook, splitLooks } from "@nereid/ui/charts";
import { type ReactNode, useMemo } from "react";
import { BatchesPanel } from "./batches-panel.tsx";
import { HeatPanel } from "./heat-panel.tsx";
import { type KeyedRows, type LineValue, linesOf, shifted, VALUES, valuesOf } from "./history-lines.ts";
import { LatencyPanel } from "./latency-panel.tsx";
import { type ChartFrame, LinesPanel } from "./lines-panel.tsx";
import type { ShownHistory } from "./merge-live.ts";
import { WindowTiles } from "./window-tiles.tsx";

/** What is drawn at one moment; a paused page keeps it. */
export interface HistoryData {
  readonly history: ModelHistory;
  readonly shown: ShownHistory;
  readonly earlier: ModelHistory | undefined;
}

export interface HistoryChartsProps {
  readonly model: string;
  readonly data: HistoryData;
  readonly split: "version" | "node" | null;
  /** Drawn of each series of a split. */
  readonly percentile: "p50" | "p95" | "p99";
  readonly scale: "linear" | "log";
  readonly events: readonly ChartEvent[];
  readonly legend: ReactNode;
  readonly onScale: (scale: "linear" | "log") => void;
  readonly onZoom: (first: number, last: number) => void;
  readonly onPick: (t: number) => void;
  readonly onPickCell: (t: number, slowerMs: number, fasterMs: number) => void;
}

const REQUESTS: LineLook = { key: "requests", label: "All requests", color: "var(--series-infer)" };
const GOOD: LineLook = {
  key: "good",
  label: "Within the promised latency",
  color: "var(--series-output)",
  dash: "6 3",
};
const FAILURES: LineLook = { key: "failures", label: "Failed", color: "var(--series-queue)", dash: "2 3" };
const QUEUE: readonly LineLook[] = [
  { key: "pending", label: "Mean", color: "var(--series-queue)" },
  { key: "pendingMost", label: "Greatest", color: "var(--series-line)", dash: "2 3" },
];
const BATCH: readonly LineLook[] = [{ key: "batch", label: "Mean batch", color: "var(--series-infer)" }];

/** The charts of a window, all on the same time axis. */
export function HistoryCharts(props: HistoryChartsProps) {
  const { model, data, split, percentile, scale, events, legend, onScale, onZoom, onPick, onPickCell } = props;
  const { shown, history, earlier } = data;
  const { from, to, step, partialFrom } = shown;
  const frame: ChartFrame = { model, from, to, step, partialFrom, events, onZoom, onPick };
  const before = useMemo(
    () =>
      (earlier?.series ?? []).map(({ key, rows }) => ({ key, rows: shifted(rows, from - (earlier?.from ?? from)) })),
    [earlier, from],
  );
  const together = before[0]?.rows ?? [];
  const hasGoal = shown.rows.some(({ good }) => good !== null);
  const traffic = hasGoal ? [REQUESTS, GOOD, FAILURES] : [REQUESTS, FAILURES];
  const source = history.source === "prometheus" ? "Read from Prometheus. " : "";
  return (
    <div className="space-y-4">
      <WindowTiles totals={history.totals} earlier={earlier?.totals} />
      <p className="text-[0.857rem] text-ink-soft">
        {source}
        {earlier !== undefined && earlier.totals.count + earlier.totals.failed === 0
          ? "Nothing was counted in the period before. "
          : ""}
        One point is {stepWords(step)}. Draw on a chart to zoom in; choose a point to see its requests.
        {history.droppedSeries > 0 ? ` ${history.droppedSeries} more with fewer requests are left out.` : ""}
      </p>
      {split === null ? (
        <>
          <LatencyPanel
            frame={frame}
            rows={shown.rows}
            earlier={together}
            scale={scale}
            onScale={onScale}
            legend={legend}
          />
          <HeatPanel frame={frame} rows={shown.rows} onPick={onPickCell} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <LinesPanel
              frame={frame}
              title="Requests per second"
              what="requests"
              rows={valuesOf(shown.rows, VALUES)}
              earlier={valuesOf(together, { requests: VALUES.requests })}
              lines={traffic}
              format={formatNumber}
            />
            <LinesPanel
              frame={frame}
              title="Queue depth"
              hint="Requests accepted and not yet executing."
              what="queue"
              rows={valuesOf(shown.rows, VALUES)}
              earlier={[]}
              lines={QUEUE}
              format={formatNumber}
            />
            <LinesPanel
              frame={frame}
              title="Batch size"
              hint="Inferences per execution, mean."
              what="batch"
              rows={valuesOf(shown.rows, VALUES)}
              earlier={valuesOf(together, { batch: VALUES.batch })}
              lines={BATCH}
              format={formatNumber}
            />
            <BatchesPanel totals={history.totals} />
          </div>
        </>
      ) : (
        <SplitCharts frame={frame} split={split} series={history.series} before={before} percentile={percentile} />
      )}
    </div>
  );
}

interface SplitChartsProps {
  readonly frame: ChartFrame;
  readonly split: "version" | "node";
  readonly series: readonly KeyedRows[];
  readonly before: readonly KeyedRows[];
  readonly percentile: "p50" | "p95" | "p99";
}

/** A line for each version or node. Percentiles do not add up, so they are drawn beside each other. */
function SplitCharts({ frame, split, series, before, percentile }: SplitChartsProps) {
  const lines = useMemo(
    () =>
      splitLooks(
        series.map(({ key }) => key),
        (key) => (split === "version" ? `Version ${key}` : key),
      ),
    [series, split],
  );
  const panel = (title: string, what: string, value: LineValue, format: (value: number | null) => string) => (
    <LinesPanel
      frame={frame}
      title={title}
      what={what}
      rows={linesOf(series, value)}
      earlier={linesOf(before, value)}
      lines={lines}
      format={format}
    />
  );
  return (
    <div className="grid items-start gap-4">
      {panel(`Latency, ${percentile}`, `latency-${percentile}-by-${split}`, VALUES[percentile], formatDuration)}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        {panel("Requests per second", `requests-by-${split}`, VALUES.requests, formatNumber)}
        {panel("Failures per second", `failures-by-${split}`, VALUES.failures, formatNumber)}
        {panel("Queue depth, mean", `queue-by-${split}`, VALUES.pending, formatNumber)}
        {panel("Batch size, mean", `batch-by-${split}`, VALUES.batch, formatNumber)}
      </div>
    </div>
  );
}

/** Seconds of a step in words. */
function stepWords(step: number): string {
  if (step === 1) return "one second";
  if (step < 60) return `${step} seconds`;
  if (step < 3_600) return step === 60 ? "one minute" : `${step / 60} minutes`;
  if (step < 86_400) return step === 3_600 ? "one hour" : `${step / 3_600} hours`;
  return step === 86_400 ? "one day" : `${step / 86_400} days`;
}
