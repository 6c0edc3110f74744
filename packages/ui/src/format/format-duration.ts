/** Milliseconds for people: three digits that matter, in µs, ms or s; an en dash for nothing. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms === 0) return "0 ms";
  if (ms < 1) return `${digits(ms * 1000)} µs`;
  if (ms < 999.5) return `${digits(ms)} ms`;
  return `${digits(ms / 1000)} s`;
}

/** The same for a round number on an axis: without zeros after the point. */
export function formatTick(ms: number): string {
  return formatDuration(ms)
    .replace(/(\.\d*?)0+(?= )/, "$1")
    .replace(/\.(?= )/, "");
}

function digits(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
