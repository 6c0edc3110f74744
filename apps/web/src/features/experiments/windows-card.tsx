import type { ExperimentMetric, ExperimentWindow } from "@nereid/perf";
import { Card, formatShare, Message, Table, Td, Th, Tr } from "@nereid/ui";
import { METRIC_WORDS, metricText } from "./experiment-words.ts";

export interface WindowsCardProps {
  readonly windows: readonly ExperimentWindow[];
  readonly metric: ExperimentMetric;
  readonly active: boolean;
}

/** Every window in the order it was measured: both sides of a pair stand on one axis. */
export function WindowsCard({ windows, metric, active }: WindowsCardProps) {
  const most = Math.max(0, ...windows.map((window) => window[metric]));
  const ms = (value: number | null) => (value === null ? "–" : `${Number(value.toPrecision(3))} ms`);
  return (
    <Card flush title="Windows" hint={`${METRIC_WORDS[metric]} of each window; filled = as it is, ring = changed.`}>
      {windows.length === 0 ? (
        <Message kind="empty" title={active ? "The first window is being measured" : "Nothing was measured"} />
      ) : (
        <Table label="Windows of the experiment">
          <thead>
            <tr>
              <Th numeric>Pair</Th>
              <Th>Side</Th>
              <Th>{METRIC_WORDS[metric]}</Th>
              <Th numeric>Throughput</Th>
              <Th numeric>p99</Th>
              <Th numeric>Queue</Th>
              <Th numeric>Compute</Th>
              <Th numeric>Mean batch</Th>
              <Th numeric>Failed</Th>
            </tr>
          </thead>
          <tbody>
            {windows.map((window) => (
              <Tr key={`${window.pair} ${window.side}`}>
                <Td numeric>{window.pair + 1}</Td>
                <Td>{window.side === "a" ? "As it is" : "Changed"}</Td>
                <Td className="min-w-40">
                  <span className="flex items-center gap-2">
                    <span aria-hidden className="relative h-2 w-24 shrink-0 rounded-full bg-raised">
                      <span
                        className={
                          window.side === "a"
                            ? "absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full bg-[var(--series-infer)]"
                            : "absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-[var(--series-queue)] bg-panel"
                        }
                        style={{ left: `${most === 0 ? 0 : (100 * window[metric]) / most}%` }}
                      />
                    </span>
                    <span className="font-mono text-[0.893rem]">{metricText(metric, window[metric])}</span>
                  </span>
                </Td>
                <Td numeric>{metricText("throughput", window.throughput)}</Td>
                <Td numeric>{ms(window.p99)}</Td>
                <Td numeric>{ms(window.queueMs)}</Td>
                <Td numeric>{ms(window.computeMs)}</Td>
                <Td numeric>{window.meanBatch === null ? "–" : window.meanBatch.toFixed(1)}</Td>
                <Td numeric>{formatShare(window.failed)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
