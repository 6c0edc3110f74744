"use client";

import type { HistoryRow } from "@nereid/services";
import { formatDuration, formatNumber, Message } from "@nereid/ui";
import { binStartMs, HeatMap, prepareHeat } from "@nereid/ui/charts";
import { useMemo } from "react";
import { ChartPanel } from "./chart-panel.tsx";
import type { ChartFrame } from "./lines-panel.tsx";

export interface HeatPanelProps {
  readonly frame: ChartFrame;
  readonly rows: readonly HistoryRow[];
  /** A cell was chosen: a step, and latencies in milliseconds. */
  readonly onPick: (t: number, slowerMs: number, fasterMs: number) => void;
}

/** All latencies, not only three of their percentiles: two humps or a slow few are seen here first. */
export function HeatPanel({ frame, rows, onPick }: HeatPanelProps) {
  const { from, to, step, model, events } = frame;
  const prepared = useMemo(() => prepareHeat({ rows, from, to, step }), [rows, from, to, step]);
  const bins = useMemo(
    () => [...new Set(rows.flatMap(({ heat }) => heat.map(([bin]) => bin)))].sort((a, b) => a - b),
    [rows],
  );
  const data = useMemo(
    () =>
      rows.map(({ t, heat }) => ({ t, values: Object.fromEntries(heat.map(([bin, count]) => [String(bin), count])) })),
    [rows],
  );
  return (
    <ChartPanel
      title="Heat map of latencies"
      hint="Requests by how long they took, on a logarithmic scale. Choose a cell to see the requests in it."
      rows={data}
      columns={bins.map((bin) => ({
        key: String(bin),
        label: `from ${formatDuration(binStartMs(bin))}`,
        format: formatNumber,
      }))}
      step={step}
      fileName={`${model}-latency-heat`}
    >
      {prepared === null ? (
        rows.some(({ count }) => count > 0) ? (
          <Message kind="empty" title="This node tells no single latencies">
            Its counters give means only, so there are no percentiles and no heat map.
          </Message>
        ) : (
          <Message kind="empty" title="No request ended in this window" />
        )
      ) : (
        <div className="px-2 pt-3 pb-2 sm:px-4">
          <HeatMap
            prepared={prepared}
            events={events}
            summary={`Latencies of ${model} over time, from ${formatDuration(binStartMs(prepared.lowest))} to ${formatDuration(binStartMs(prepared.beyond))}.`}
            onPick={({ t, bin }) => onPick(t, binStartMs(bin), binStartMs(bin + 1))}
          />
        </div>
      )}
    </ChartPanel>
  );
}
