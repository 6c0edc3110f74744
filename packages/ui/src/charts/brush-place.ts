/** Room beside the drawing of every chart, CSS pixels: the vertical axis, and the margin at the right. */
export const PLOT = { left: 62, right: 12 };

export interface BrushPlace {
  /** From the left edge of the figure, CSS pixels. */
  readonly x: number;
  readonly width: number;
  /** First and last moment of the time axis, Unix seconds. */
  readonly from: number;
  readonly to: number;
  /** A moment at which a step begins, and the seconds of one. */
  readonly origin: number;
  readonly step: number;
}

/** The step nearest to a place on a chart, whether or not there is data in it; undefined on a chart without room. */
export function stepAt({ x, width, from, to, origin, step }: BrushPlace): number | undefined {
  const room = width - PLOT.left - PLOT.right;
  if (!(room > 0)) return undefined;
  const share = Math.min(1, Math.max(0, (x - PLOT.left) / room));
  return origin + Math.round((from + share * (to - from) - origin) / step) * step;
}
