import type { HistoryRange } from "./search-params.ts";

/** The time that a page looks at: up to now, or between two Unix seconds. */
export type TimeWindow<Range extends string = HistoryRange> =
  | { readonly kind: "recent"; readonly range: Range; readonly seconds: number }
  | { readonly kind: "fixed"; readonly from: number; readonly to: number };

interface WindowParams<Range extends string> {
  readonly range: Range;
  readonly from: number | null;
  readonly to: number | null;
}

/** What an address asks for; a `from` without a later `to` counts as not there. */
export function windowOf<Range extends string>(
  { range, from, to }: WindowParams<Range>,
  seconds: Readonly<Record<Range, number>>,
): TimeWindow<Range> {
  if (from !== null && to !== null && from >= 0 && to > from) return { kind: "fixed", from, to };
  return { kind: "recent", range, seconds: seconds[range] };
}

/** The window as the history is asked for it. */
export function windowInput(window: TimeWindow<string>): { seconds: number } | { from: number; to: number } {
  return window.kind === "recent" ? { seconds: window.seconds } : { from: window.from, to: window.to };
}

export function lengthOf(window: TimeWindow<string>): number {
  return window.kind === "recent" ? window.seconds : window.to - window.from;
}

/** The longest range that is followed second by second. */
const LONGEST_LIVE = 900;

export function isFollowed(window: TimeWindow<string>): boolean {
  return window.kind === "recent" && window.seconds <= LONGEST_LIVE;
}

/** How often the history is asked for again, milliseconds; false for a window that lies in the past. */
export function refreshMs(window: TimeWindow<string>, nowSeconds: number): number | false {
  if (window.kind === "fixed") return window.to < nowSeconds ? false : 10_000;
  if (window.seconds <= LONGEST_LIVE) return 10_000;
  return window.seconds <= 6 * 3_600 ? 15_000 : 60_000;
}

const SHORTEST_ZOOM = 10;

/** What a stretch that was drawn on a chart zooms to: whole steps, ten seconds at least. */
export function zoomTo(first: number, last: number, step: number): { from: number; to: number } {
  const to = last + step;
  return { from: Math.min(first, to - SHORTEST_ZOOM), to };
}
