import type { ExperimentEffect } from "@nereid/perf";
import { Card, cn, Table, Td, Th, Tr } from "@nereid/ui";
import { intervalPlace, METRIC_WORDS, metricText, reachOf, signedShare } from "./experiment-words.ts";

export interface EffectsCardProps {
  readonly effects: readonly ExperimentEffect[];
  readonly leastEffect: number;
}

/** Each figure on both sides, and the interval that its difference lies in. */
export function EffectsCard({ effects, leastEffect }: EffectsCardProps) {
  const reach = reachOf(effects);
  const [least] = [intervalPlace({ low: -leastEffect, change: 0, high: leastEffect }, reach)];
  return (
    <Card
      flush
      title="Differences"
      hint={`With 95 % confidence; the axis goes from ${signedShare(-reach)} to ${signedShare(reach)}, the band is what does not matter.`}
    >
      <Table label="Differences between both sides">
        <thead>
          <tr>
            <Th>Figure</Th>
            <Th numeric>As it is</Th>
            <Th numeric>Changed</Th>
            <Th numeric>Difference</Th>
            <Th>Interval</Th>
          </tr>
        </thead>
        <tbody>
          {effects.map((effect) => {
            const { metric, a, b, change, low, high } = effect;
            const place = intervalPlace(effect, reach);
            const more = metric === "throughput" || metric === "goodput";
            const good = more ? low > leastEffect : high < -leastEffect;
            const bad = more ? high < -leastEffect : low > leastEffect;
            return (
              <Tr key={metric}>
                <Td>{METRIC_WORDS[metric]}</Td>
                <Td numeric>{metricText(metric, a)}</Td>
                <Td numeric>{metricText(metric, b)}</Td>
                <Td numeric>
                  {signedShare(change)}
                  <span className="block text-[0.857rem] text-ink-soft">
                    {signedShare(low)} to {signedShare(high)}
                  </span>
                </Td>
                <Td className="min-w-48">
                  <span aria-hidden className="relative block h-6">
                    <span
                      className="absolute inset-y-0 bg-raised"
                      style={{ left: `${least.left}%`, width: `${least.width}%` }}
                    />
                    <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
                    <span
                      className={cn(
                        "absolute top-1/2 h-0.5 -translate-y-1/2",
                        good ? "bg-ok" : bad ? "bg-bad" : "bg-ink-soft",
                      )}
                      style={{ left: `${place.left}%`, width: `${Math.max(0.5, place.width)}%` }}
                    />
                    <span
                      className={cn(
                        "absolute top-1/2 size-2 -translate-x-1/2 -translate-y-1/2 rounded-full",
                        good ? "bg-ok" : bad ? "bg-bad" : "bg-ink-soft",
                      )}
                      style={{ left: `${place.middle}%` }}
                    />
                  </span>
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
    </Card>
  );
}
