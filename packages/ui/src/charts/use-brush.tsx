"use client";

import { type PointerEvent, useRef, useState } from "react";
import { ReferenceArea } from "recharts";
import { type BrushPlace, stepAt } from "./brush-place.ts";

export interface BrushUse {
  /** A stretch was drawn; Unix seconds, the first smaller. */
  readonly onSelect?: ((from: number, to: number) => void) | undefined;
  /** A point was clicked. */
  readonly onPick?: ((t: number) => void) | undefined;
}

/** A pointer that goes less far than this, in CSS pixels, has not drawn. */
const STILL_PX = 5;

/**
 * Drawing a stretch on a chart, with a mouse, a pen or a finger, zooms into it; a click without a drag picks a point. A finger
 * that goes up or down scrolls the page. `used` tells whether this is the chart that is pointed at: the others of its id show the
 * crosshair only.
 */
export function useBrush({ onSelect, onPick }: BrushUse, place: Omit<BrushPlace, "x" | "width">) {
  const [pointed, setPointed] = useState(false);
  const [stretch, setStretch] = useState<{ readonly start: number; readonly end: number }>();
  const pressed = useRef<{ readonly id: number; readonly x: number; readonly t: number } | undefined>(undefined);
  const at = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect();
    return stepAt({ ...place, x: clientX - box.left, width: box.width });
  };
  const forget = () => {
    pressed.current = undefined;
    setStretch(undefined);
  };
  return {
    used: pointed,
    figure: {
      style: { touchAction: "pan-y" },
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const t = at(event);
        if (event.button === 0 && event.isPrimary && t !== undefined) {
          pressed.current = { id: event.pointerId, x: event.clientX, t };
        }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const start = pressed.current;
        if (start?.id !== event.pointerId || onSelect === undefined) return;
        if (stretch === undefined && Math.abs(event.clientX - start.x) < STILL_PX) return;
        // From here on also what goes on beside the chart belongs to it.
        if (stretch === undefined) event.currentTarget.setPointerCapture(event.pointerId);
        const t = at(event);
        if (t !== undefined && t !== stretch?.end) setStretch({ start: start.t, end: t });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const start = pressed.current;
        if (start?.id !== event.pointerId) return;
        const drawn = stretch;
        forget();
        if (drawn === undefined) onPick?.(start.t);
        else if (drawn.start !== drawn.end) {
          onSelect?.(Math.min(drawn.start, drawn.end), Math.max(drawn.start, drawn.end));
        }
      },
      // A finger that scrolls the page after all.
      onPointerCancel: forget,
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
