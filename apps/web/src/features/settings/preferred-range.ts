/**
 * The range of a page whose address has none: the one that its reader prefers, or the page's own. Where the page does not offer the
 * preferred one, the longest that is not longer, and its shortest where all are longer. `offered` has the seconds of each.
 */
export function preferredRange<Range extends string>(
  preferred: keyof typeof SECONDS | null,
  offered: Readonly<Record<Range, number>>,
  own: Range,
): Range {
  if (preferred === null) return own;
  const ranges = (Object.keys(offered) as Range[]).sort((a, b) => offered[a] - offered[b]);
  return ranges.findLast((range) => offered[range] <= SECONDS[preferred]) ?? ranges[0] ?? own;
}

const HOUR = 3_600;

const SECONDS = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": HOUR,
  "6h": 6 * HOUR,
  "24h": 24 * HOUR,
  "7d": 7 * 24 * HOUR,
  "30d": 30 * 24 * HOUR,
} as const;
