"use client";

import { type KeyboardEvent, useState } from "react";
import { ReferenceLine } from "recharts";
import { movedCursor } from "./moved-cursor.ts";

export interface KeyCursorUse {
  /** What a screen reader hears of the drawing. */
  readonly summary: string;
  /** Moments of the points, ascending, Unix seconds. */
  readonly times: readonly number[];
  /** Enter was pressed on a point. */
  readonly onPick?: ((t: number) => void) | undefined;
}

/** A crosshair for the keyboard. It stands on a moment, so a chart that goes on does not take it along. */
export function useKeyCursor({ summary, times, onPick }: KeyCursorUse) {
  const [at, setAt] = useState<number>();
  const cursor = at !== undefined && times.includes(at) ? at : undefined;
  return {
    /** The moment that it stands on; undefined while nobody uses the keys. */
    cursor,
    drawn: cursor === undefined ? null : <ReferenceLine x={cursor} stroke="var(--ink)" strokeWidth={1} />,
    keys: {
      role: "application",
      "aria-label": `${summary} Arrow keys walk through it${onPick === undefined ? "" : ", Enter shows the requests of a point"}.`,
      tabIndex: 0,
      onBlur: () => setAt(undefined),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === "Enter" && cursor !== undefined) onPick?.(cursor);
        const next = movedCursor(times, cursor, event.key);
        if (next === undefined) return;
        event.preventDefault();
        setAt(next ?? undefined);
      },
    },
  };
}
