import type { ReactNode } from "react";
import { cn } from "../cn.ts";

export interface StatTileProps {
  readonly label: string;
  readonly value: string;
  /** What the value is of: window, samples. */
  readonly note?: ReactNode;
  readonly alarming?: boolean;
}

/** One figure with its name. */
export function StatTile({ label, value, note, alarming = false }: StatTileProps) {
  return (
    <div className="min-w-0 bg-panel px-4 py-3">
      <dt className="truncate text-[0.857rem] text-ink-soft">{label}</dt>
      <dd className={cn("mt-0.5 font-medium font-mono text-xl tracking-tight", alarming && "text-bad")}>{value}</dd>
      {note === undefined ? null : <dd className="truncate text-[0.786rem] text-ink-soft">{note}</dd>}
    </div>
  );
}
