"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { ReferenceArea } from "recharts";

/** What Recharts tells of the pointer. */
interface Pointed {
  readonly activeLabel?: string | number | undefined;
}

export interface BrushUse {
  /** A stretch was drawn; Unix seconds, the first smaller. */
  readonly onSelect?: ((from: number, to: number) => void) | undefined;
  /** A point was clicked. */
  readonly onPick?: ((t: number) => void) | undefined;
}

/**
 * Drawing a stretch on a chart zooms into it; a click without a drag, or Enter, picks a point. `used` tells whether this is the chart that
 * is pointed at: the others of its id show the crosshair only.
 */
export function useBrush({ onSelect, onPick }: BrushUse) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const active = useRef<number | undefined>(undefined);
  const [stretch, setStretch] = useState<{ readonly start: number; readonly end: number }>();
  const at = ({ activeLabel }: Pointed) => (activeLabel === undefined ? undefined : Number(activeLabel));
  return {
    used: pointed || focused,
    /** Told which point the crosshair is at. */
    onActive: (t: number | undefined) => {
      active.current = t;
    },
    figure: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === "Enter" && active.current !== undefined) onPick?.(active.current);
      },
    },
    handlers: {
      onMouseDown: (pointed: Pointed) => {
        const t = at(pointed);
        if (t !== undefined) setStretch({ start: t, end: t });
      },
      onMouseMove: (pointed: Pointed) => {
        const t = at(pointed);
        if (stretch !== undefined && t !== undefined && t !== stretch.end) setStretch({ ...stretch, end: t });
      },
      onMouseUp: () => {
        if (stretch === undefined) return;
        const { start, end } = stretch;
        setStretch(undefined);
        if (start === end) onPick?.(start);
        else onSelect?.(Math.min(start, end), Math.max(start, end));
      },
      onMouseLeave: () => setStretch(undefined),
    },
    drawn:
      stretch === undefined || stretch.start === stretch.end ? null : (
        <ReferenceArea
          x1={Math.min(stretch.start, stretch.end)}
          x2={Math.max(stretch.start, stretch.end)}
          fill="var(--accent)"
          fillOpacity={0.18}
          stroke="var(--accent)"
          ifOverflow="hidden"
        />
      ),
  };
}

/** Stands in a tooltip, whose content is all that Recharts tells of the point that the keyboard has reached. */
export function ActivePoint({
  t,
  onActive,
}: {
  readonly t: number | undefined;
  readonly onActive: (t: number | undefined) => void;
}) {
  useEffect(() => {
    onActive(t);
  }, [t, onActive]);
  return null;
}
