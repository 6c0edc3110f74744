/** Room beside the drawing of every chart, CSS pixels: the vertical axis, and the margin at the right. */
export const PLOT = { left: 62, right: 12 };

export interface BrushPlace {
  /** From the left edge of the figure, CSS pixels. */
  readonly x: number;
  readonly width: number;
  /** First and last moment of the time axis, Unix seconds. */
  readonly from: number;
  readonly to: number;
  /** The moments that have a point, ascending. */
  readonly times: readonly number[];
}

/** The moment nearest to a place on a chart; undefined on a chart without points or without room. */
export function pointAt({ x, width, from, to, times }: BrushPlace): number | undefined {
  const room = width - PLOT.left - PLOT.right;
  if (!(room > 0)) return undefined;
  const share = Math.min(1, Math.max(0, (x - PLOT.left) / room));
  const t = from + share * (to - from);
  return times.reduce<number | undefined>(
    (best, one) => (best === undefined || Math.abs(one - t) < Math.abs(best - t) ? one : best),
    undefined,
  );
}
