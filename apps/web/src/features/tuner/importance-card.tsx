import type { TuningImportance, TuningResult } from "@nereid/perf/tuner";
import { Card, formatShare, Message } from "@nereid/ui";

const NAMES: Readonly<Record<TuningImportance["parameter"], string>> = {
  instances: "Instances",
  maxBatchSize: "Largest batch",
  queueDelayUs: "Queue delay",
  preferred: "Preferred sizes",
  threads: "Threads",
  accelerator: "Accelerator",
  load: "Load",
  requestBatch: "Items of a request",
};

/** Which parameter made the differences, and how good the simulator was. */
export function ImportanceCard({ importance, simulator }: Pick<TuningResult, "importance" | "simulator">) {
  const sorted = importance.toSorted((a, b) => b.share - a.share);
  return (
    <Card
      title="What made the difference"
      hint="Share of the differences between measurements that each parameter explains, and what it may be as well (90 %)."
    >
      {sorted.length === 0 ? (
        <Message kind="empty" title="Too little was measured to tell" />
      ) : (
        <ul className="space-y-2">
          {sorted.map(({ parameter, share, interval: [low, high] }) => (
            <li key={parameter} className="grid grid-cols-[8rem_minmax(0,1fr)_auto] items-center gap-3">
              <span>{NAMES[parameter]}</span>
              <span aria-hidden className="relative h-2 rounded-full bg-raised">
                <span
                  className="absolute inset-y-0 left-0 rounded-full bg-[var(--series-infer)]"
                  style={{ width: `${100 * Math.min(1, share)}%` }}
                />
                <span
                  className="absolute top-1/2 h-px bg-ink"
                  style={{ left: `${100 * low}%`, width: `${100 * Math.max(0, Math.min(1, high) - low)}%` }}
                />
              </span>
              <span className="whitespace-nowrap text-right font-mono text-[0.893rem]">
                {formatShare(share)}
                <span className="ml-2 text-ink-soft">
                  {formatShare(low)} to {formatShare(high)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {simulator === null ? null : (
        <p className="mt-3 text-[0.857rem] text-ink-soft">
          The simulator was off by {formatShare(simulator.throughput)} in throughput and {formatShare(simulator.p99)} in
          p99, in the middle of {simulator.points} points that were measured too.
        </p>
      )}
    </Card>
  );
}
