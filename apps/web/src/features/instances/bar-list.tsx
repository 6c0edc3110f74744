import { cn, formatNumber, formatShare } from "@nereid/ui";

export interface Bar {
  readonly label: string;
  readonly count: number;
  /** Drawn in the accent colour. */
  readonly marked?: boolean;
}

export interface BarListProps {
  readonly label: string;
  /** What is counted, for screen readers: "batches". */
  readonly unit: string;
  readonly bars: readonly Bar[];
}

/** Counts as bars beside their words and figures: a chart that is its own table. */
export function BarList({ label, unit, bars }: BarListProps) {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table className="w-full text-[0.893rem]">
      <caption className="sr-only">{label}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Bar</th>
          <th scope="col">{unit}</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row" className="w-[38%] py-1 pr-3 text-left font-normal text-ink-soft [overflow-wrap:anywhere]">
              {bar.label}
            </th>
            <td aria-hidden className="py-1">
              <div
                className={cn("h-3 min-w-px rounded-sm", bar.marked === true ? "bg-accent" : "bg-line-strong")}
                style={{ width: `${(bar.count / largest) * 100}%` }}
              />
            </td>
            <td className="w-14 py-1 pl-3 text-right font-mono">{formatNumber(bar.count)}</td>
            <td className="w-16 py-1 pl-2 text-right font-mono text-ink-soft">
              {formatShare(total === 0 ? null : bar.count / total)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
