"use client";

import type { HistoryRow } from "@nereid/services";
import { formatDuration, ToggleGroup } from "@nereid/ui";
import { LatencyChart, LatencyLegend, prepareLatency, type SeriesKey } from "@nereid/ui/charts";
import { type ReactNode, useMemo, useState } from "react";
import { ChartPanel } from "./chart-panel.tsx";
import { chartSummary } from "./chart-summary.ts";
import { valuesOf } from "./history-lines.ts";
import { type ChartFrame, SYNC_ID } from "./lines-panel.tsx";

const SCALES = [
  { value: "linear", label: "Linear" },
  { value: "log", label: "Log" },
] as const;

const COLUMNS = [
  { key: "p50", label: "p50 (ms)" },
  { key: "p95", label: "p95 (ms)" },
  { key: "p99", label: "p99 (ms)" },
  { key: "queue", label: "Queue, mean (ms)" },
  { key: "input", label: "Compute input, mean (ms)" },
  { key: "infer", label: "Compute infer, mean (ms)" },
  { key: "output", label: "Compute output, mean (ms)" },
] as const;

const VALUES = Object.fromEntries(COLUMNS.map(({ key }) => [key, (row: HistoryRow) => row[key]]));

export interface LatencyPanelProps {
  readonly frame: ChartFrame;
  readonly rows: readonly HistoryRow[];
  readonly earlier: readonly HistoryRow[];
  readonly scale: "linear" | "log";
  readonly onScale: (scale: "linear" | "log") => void;
  /** The marks of the events in words. */
  readonly legend: ReactNode;
}

/** Where the time of the requests goes: stacked means under percentiles. */
export function LatencyPanel({ frame, rows, earlier, scale, onScale, legend }: LatencyPanelProps) {
  const { from, to, step, model, events, partialFrom, onZoom, onPick } = frame;
  const [hidden, setHidden] = useState<ReadonlySet<SeriesKey>>(new Set());
  const log = scale === "log";
  const prepared = useMemo(
    () => prepareLatency({ rows, rangeSeconds: to - from, hidden, step, to, log }),
    [rows, from, to, hidden, step, log],
  );
  const previous = useMemo(() => new Map(earlier.map((row) => [row.t, row])), [earlier]);
  const data = useMemo(() => valuesOf(rows, VALUES), [rows]);
  const toggle = (key: SeriesKey) =>
    setHidden((old) => (old.has(key) ? new Set([...old].filter((one) => one !== key)) : new Set([...old, key])));
  const quiet = rows.every(({ count }) => count === 0);
  return (
    <ChartPanel
      title="Latency"
      hint="Server side. Means are stacked, percentiles are of whole requests."
      actions={<ToggleGroup label="Vertical scale" value={scale} options={SCALES} onChange={onScale} />}
      rows={data}
      columns={COLUMNS.map((column) => ({ ...column, format: formatDuration }))}
      step={step}
      fileName={`${model}-latency`}
    >
      {prepared === null ? null : (
        <div className="relative space-y-3 px-2 pt-3 pb-3 sm:px-4">
          <LatencyChart
            prepared={prepared}
            step={step}
            log={log}
            events={events}
            summary={chartSummary(prepared, model)}
            syncId={SYNC_ID}
            partialFrom={partialFrom}
            onSelect={onZoom}
            onPick={onPick}
            {...(previous.size > 0 && { previous })}
          />
          {quiet ? (
            <p className="pointer-events-none absolute inset-x-0 top-32 text-center text-ink-soft">
              No request ended in this range.
            </p>
          ) : null}
          <LatencyLegend hidden={prepared.hidden} onToggle={toggle} />
          {log ? (
            <p className="text-[0.857rem] text-ink-soft">
              Means add up only on a linear scale, so here are the percentiles alone.
            </p>
          ) : null}
          {legend}
        </div>
      )}
    </ChartPanel>
  );
}
