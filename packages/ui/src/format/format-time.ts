import { timeFormat } from "./time-zone.ts";

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const DATE_TIME = { day: "numeric", month: "short", year: "numeric", ...CLOCK, timeZoneName: "short" } as const;

/** Wall-clock time of a Unix second, in the reader's zone: 14:02:07. */
export function formatClock(seconds: number): string {
  return timeFormat(CLOCK).format(seconds * 1000);
}

/** Date and time in the reader's zone, with the zone: 21 Nov 2026, 14:02:07 UTC. */
export function formatDateTime(at: Date): string {
  return timeFormat(DATE_TIME).format(at);
}

/** How long ago, roughly: "just now", "5 min ago", "3 h ago", "12 d ago". */
export function formatAge(at: Date, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - at.getTime()) / 1000);
  if (seconds < 45) return "just now";
  if (seconds < 3_570) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 84_600) return `${Math.max(1, Math.round(seconds / 3600))} h ago`;
  return `${Math.round(seconds / 86_400)} d ago`;
}
