import type { ReactNode } from "react";
import { stepLabel } from "./time-words.ts";

export interface PointTooltipProps {
  /** Beginning of the step, Unix seconds, and its length. */
  readonly t: number;
  readonly step: number;
  /** Under the time. */
  readonly note?: ReactNode;
  /** Top of the chart first. */
  readonly rows: readonly {
    readonly key: string;
    readonly swatch: ReactNode;
    readonly label: ReactNode;
    readonly value: string;
  }[];
}

/** What a chart over time tells of the point under the crosshair. */
export function PointTooltip({ t, step, note, rows }: PointTooltipProps) {
  return (
    <div className="min-w-48 rounded-md border bg-panel px-3 py-2 text-[0.857rem] text-ink shadow-xl">
      <p className="font-medium font-mono">{stepLabel(t, step)}</p>
      {note === undefined ? null : <p className="text-ink-soft">{note}</p>}
      {rows.length === 0 ? null : (
        <dl className="mt-1.5 grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-0.5">
          {rows.map(({ key, swatch, label, value }) => (
            <div key={key} className="contents">
              {swatch}
              <dt>{label}</dt>
              <dd className="text-right font-mono">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
