"use client";

import { Message } from "@nereid/ui";
import { type ChartEvent, type LineLook, type LineRow, LinesChart, LinesLegend, prepareLines } from "@nereid/ui/charts";
import { useMemo } from "react";
import { ChartPanel } from "./chart-panel.tsx";
import { beside, EARLIER } from "./history-lines.ts";

/** What all charts of the page have in common. */
export interface ChartFrame {
  readonly model: string;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly partialFrom: number | null;
  readonly events: readonly ChartEvent[];
  readonly onZoom: (first: number, last: number) => void;
  readonly onPick: (t: number) => void;
}

export const SYNC_ID = "latency";

export interface LinesPanelProps {
  readonly frame: ChartFrame;
  readonly title: string;
  readonly hint?: string;
  /** Name of the value in the file's name. */
  readonly what: string;
  readonly rows: readonly LineRow[];
  readonly earlier: readonly LineRow[];
  readonly lines: readonly LineLook[];
  readonly format: (value: number | null) => string;
}

/** One chart of lines with its legend, table and file; the period before is drawn faintly behind. */
export function LinesPanel({ frame, title, hint, what, rows, earlier, lines, format }: LinesPanelProps) {
  const { from, to, step, model, events, partialFrom, onZoom, onPick } = frame;
  const all = useMemo(
    () => [
      ...(earlier.length === 0
        ? []
        : lines.map((line) => ({
            ...line,
            key: `${EARLIER}${line.key}`,
            label: `${line.label}, period before`,
            faint: true,
          }))),
      ...lines,
    ],
    [lines, earlier.length],
  );
  const shown = useMemo(() => beside(rows, earlier).filter(({ t }) => t >= from && t < to), [rows, earlier, from, to]);
  const prepared = useMemo(
    () => prepareLines({ rows: shown, lines: all, from, to, step }),
    [shown, all, from, to, step],
  );
  const last = rows.at(-1)?.values;
  const summary = `${title} of ${model}. Last: ${lines.map(({ key, label }) => `${label} ${format(last?.[key] ?? null)}`).join(", ")}.`;
  return (
    <ChartPanel
      title={title}
      {...(hint !== undefined && { hint })}
      rows={shown}
      columns={all.map(({ key, label }) => ({ key, label, format }))}
      step={step}
      fileName={`${model}-${what}`}
    >
      {rows.length === 0 ? (
        <Message kind="empty" title="Nothing was measured in this window" />
      ) : (
        <div className="space-y-2 px-2 pt-3 pb-3 sm:px-4">
          <LinesChart
            prepared={prepared}
            lines={all}
            events={events}
            summary={summary}
            format={format}
            syncId={SYNC_ID}
            partialFrom={partialFrom}
            onSelect={onZoom}
            onPick={onPick}
          />
          <LinesLegend lines={all} />
        </div>
      )}
    </ChartPanel>
  );
}
