import { formatClock } from "../format/format-time.ts";
import { timeFormat } from "../format/time-zone.ts";

const DAY = 86_400;
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DATE = { day: "numeric", month: "short" } as const;

/** How a time axis of so many seconds names its moments, in the reader's zone: 14:02:07, 14:02, 21 Nov 14:02 or 21 Nov. */
export function timeLabel(t: number, rangeSeconds: number): string {
  if (rangeSeconds <= 1_800) return formatClock(t);
  if (rangeSeconds <= DAY) return timeFormat(TIME).format(t * 1000);
  return timeFormat(rangeSeconds <= 4 * DAY ? { ...DATE, ...TIME } : DATE).format(t * 1000);
}

/** The moment or stretch of a point: 21 Nov, 14:02:07 or 21 Nov, 14:02:00 – 14:02:20. */
export function stepLabel(t: number, step: number): string {
  const day = timeFormat(DATE).format(t * 1000);
  if (step >= DAY) return day;
  return step === 1 ? `${day}, ${formatClock(t)}` : `${day}, ${formatClock(t)} – ${formatClock(t + step)}`;
}
