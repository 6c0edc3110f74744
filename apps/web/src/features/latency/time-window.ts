import { HISTORY_RANGE_SECONDS, type HistoryRange } from "./search-params.ts";

/** The time that a page looks at: up to now, or between two Unix seconds. */
export type TimeWindow =
  | { readonly kind: "recent"; readonly range: HistoryRange; readonly seconds: number }
  | { readonly kind: "fixed"; readonly from: number; readonly to: number };

interface WindowParams {
  readonly range: HistoryRange;
  readonly from: number | null;
  readonly to: number | null;
}

/** What an address asks for; a `from` without a later `to` counts as not there. */
export function windowOf({ range, from, to }: WindowParams): TimeWindow {
  if (from !== null && to !== null && from >= 0 && to > from) return { kind: "fixed", from, to };
  return { kind: "recent", range, seconds: HISTORY_RANGE_SECONDS[range] };
}

/** The window as the history is asked for it. */
export function windowInput(window: TimeWindow): { seconds: number } | { from: number; to: number } {
  return window.kind === "recent" ? { seconds: window.seconds } : { from: window.from, to: window.to };
}

export function lengthOf(window: TimeWindow): number {
  return window.kind === "recent" ? window.seconds : window.to - window.from;
}

/** The longest range that is followed second by second. */
const LONGEST_LIVE = 900;

export function isFollowed(window: TimeWindow): boolean {
  return window.kind === "recent" && window.seconds <= LONGEST_LIVE;
}

/** How often the history is asked for again, milliseconds; false for a window that lies in the past. */
export function refreshMs(window: TimeWindow, nowSeconds: number): number | false {
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

/** A Unix second as an input of date and time has it, in the reader's zone; and back, null for what is none. */
export function toInputTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function fromInputTime(text: string): number | null {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}
