import type { ReactElement, ReactNode } from "react";
import { ResponsiveContainer } from "recharts";
import { cn } from "../cn.ts";
import type { useBrush } from "./use-brush.tsx";
import type { useKeyCursor } from "./use-key-cursor.tsx";

export interface ChartFigureProps {
  /** What a screen reader hears of the drawing. */
  readonly summary: string;
  readonly brush: ReturnType<typeof useBrush>;
  readonly keyboard: ReturnType<typeof useKeyCursor>;
  /** A class of height, and the size in CSS pixels before the real one is known. */
  readonly height: string;
  readonly before: { readonly width: number; readonly height: number };
  /** What the point under the keyboard's cursor says. */
  readonly reading: ReactNode;
  /** The drawing. */
  readonly children: ReactElement;
}

/** Around every chart over time: its place, its words, the pointer's brush and the keyboard's cursor. */
export function ChartFigure({ summary, brush, keyboard, height, before, reading, children }: ChartFigureProps) {
  return (
    <figure className={cn("relative w-full select-none", height)} {...brush.figure}>
      <figcaption className="sr-only">{summary}</figcaption>
      <div {...keyboard.keys} className="h-full w-full rounded-sm">
        <ResponsiveContainer width="100%" height="100%" initialDimension={before}>
          {children}
        </ResponsiveContainer>
      </div>
      <div aria-live="polite" className="pointer-events-none absolute top-2 right-4 z-10">
        {keyboard.cursor === undefined ? null : reading}
      </div>
    </figure>
  );
}
