const DAY = 86_400;

/** How a time axis of so many seconds names its moments, in the reader's zone: 14:02:07, 14:02, 21 Nov 14:02 or 21 Nov. */
export function timeLabel(t: number, rangeSeconds: number): string {
  const at = new Date(t * 1000);
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  const date: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  if (rangeSeconds <= 1_800) return at.toLocaleTimeString("en-GB", { ...time, second: "2-digit" });
  if (rangeSeconds <= DAY) return at.toLocaleTimeString("en-GB", time);
  if (rangeSeconds <= 4 * DAY) return at.toLocaleString("en-GB", { ...date, ...time });
  return at.toLocaleDateString("en-GB", date);
}

/** The moment or stretch of a point: 21 Nov, 14:02:07 or 21 Nov, 14:02:00 – 14:02:20. */
export function stepLabel(t: number, step: number): string {
  const time = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour12: false });
  const day = new Date(t * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  if (step >= DAY) return day;
  return step === 1 ? `${day}, ${time(t)}` : `${day}, ${time(t)} – ${time(t + step)}`;
}
