"use client";

import type { TuningFigures, TuningPoint } from "@nereid/perf/tuner";
import { Badge, Button, Card, formatDuration, formatNumber, Message, Table, Td, Th, Tr } from "@nereid/ui";
import { useEffect, useRef, useState } from "react";
import { figuresOf, goodputOf, settingWords } from "./tuning-figures.ts";

const US_PER_MS = 1000;
const FIRST = 25;

export interface PointsCardProps {
  readonly points: readonly TuningPoint[];
  readonly limitMs: number | null;
  readonly best: string | null;
  /** The point that was chosen in the chart. */
  readonly chosen: string | null;
  /** Points of the whole space; null = not known. */
  readonly space: number | null;
}

/** Every point that is known, most good answers first: what the simulator said and what was measured. */
export function PointsCard({ points, limitMs, best, chosen, space }: PointsCardProps) {
  const [all, setAll] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (chosen !== null) row.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const sorted = points
    .map((point) => ({ point, goodput: goodputOf(point, limitMs) ?? -1 }))
    .toSorted((a, b) => Number(b.point.measured !== null) - Number(a.point.measured !== null) || b.goodput - a.goodput);
  const shown = all ? sorted : sorted.filter(({ point }, place) => place < FIRST || point.id === chosen);
  const measured = points.filter((point) => point.measured !== null).length;
  return (
    <Card
      flush
      title="What was tried"
      hint={`${measured} measured${space === null ? "" : ` of ${formatNumber(space)} possible points`}`}
    >
      {points.length === 0 ? (
        <Message kind="empty" title="Nothing yet" />
      ) : (
        <Table label="Points of the search">
          <thead>
            <tr>
              <Th>Settings</Th>
              <Th numeric>Load</Th>
              <Th numeric>Good answers /s</Th>
              <Th numeric>Throughput /s</Th>
              <Th numeric>p99</Th>
              <Th numeric>Simulated /s</Th>
              <Th numeric>Simulated p99</Th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ point, goodput }) => (
              <Tr
                key={point.id}
                ref={point.id === chosen ? row : undefined}
                className={point.id === chosen ? "bg-raised" : undefined}
              >
                <Td className="min-w-56">
                  <span className="mr-2">{settingWords(point.setting)}</span>
                  {point.id === best ? <Badge tone="ok">Best</Badge> : null}
                  {point.config.endsWith("_config_default") ? <Badge>Served now</Badge> : null}
                  {point.skipped === null ? null : (
                    <p className="text-[0.857rem] text-ink-soft">Left out: {point.skipped.why}</p>
                  )}
                  {point.measured === null || point.measured.stable ? null : (
                    <p className="text-[0.857rem] text-warn">Its windows did not agree</p>
                  )}
                </Td>
                <Td numeric>
                  {formatNumber(point.level)}
                  {point.requestBatch > 1 ? ` × ${point.requestBatch}` : ""}
                </Td>
                <Td numeric>{goodput < 0 ? "–" : <Goodput point={point} goodput={goodput} />}</Td>
                <Figures figures={point.measured} />
                <Figures figures={point.simulated} soft />
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {sorted.length > shown.length ? (
        <p className="border-t p-3 text-center">
          <Button size="small" onClick={() => setAll(true)}>
            All {formatNumber(sorted.length)}
          </Button>
        </p>
      ) : null}
    </Card>
  );
}

/** Measured with what it may be as well, or what is expected. */
function Goodput({ point, goodput }: { readonly point: TuningPoint; readonly goodput: number }) {
  const interval = point.measured?.throughputInterval;
  const figures = figuresOf(point);
  if (interval === undefined || figures === null || figures.throughput === 0) {
    return <span className="text-ink-soft">{formatNumber(Math.round(goodput))}</span>;
  }
  const half = (goodput * (interval[1] - interval[0])) / 2 / figures.throughput;
  return (
    <>
      {formatNumber(Math.round(goodput))}
      <span className="block text-[0.857rem] text-ink-soft">± {formatNumber(Math.round(half))}</span>
    </>
  );
}

function Figures({ figures, soft = false }: { readonly figures: TuningFigures | null; readonly soft?: boolean }) {
  const look = soft ? "text-ink-soft" : undefined;
  return (
    <>
      <Td numeric className={look}>
        {figures === null ? "–" : formatNumber(Math.round(figures.throughput))}
      </Td>
      <Td numeric className={look}>
        {figures === null ? "–" : formatDuration(figures.p99Us / US_PER_MS)}
      </Td>
    </>
  );
}
