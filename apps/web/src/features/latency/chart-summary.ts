import { formatDuration, formatNumber } from "@nereid/ui";
import type { PreparedLatency } from "@nereid/ui/charts";

/** What the chart shows, in words. */
export function chartSummary(prepared: PreparedLatency, model: string): string {
  const busy = prepared.points.filter((point) => point.p99 !== null);
  const last = busy.at(-1);
  if (last === undefined) return `No request of ${model} ended in this range.`;
  const worst = busy.reduce((max, point) => Math.max(max, point.p99 ?? 0), 0);
  const count = busy.reduce((sum, point) => sum + point.count, 0);
  const gaps = prepared.gaps.length === 0 ? "" : ` Data is missing in ${prepared.gaps.length} stretches.`;
  return (
    `Latency of ${model} by second: ${formatNumber(count)} requests; in the last busy second p50 ${formatDuration(last.p50)}, ` +
    `p95 ${formatDuration(last.p95)}, p99 ${formatDuration(last.p99)}; highest p99 ${formatDuration(worst)}.${gaps}`
  );
}
