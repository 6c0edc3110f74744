"use client";

import type { LoadLevel } from "@nereid/services/load-test-report";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { Card, formatDuration, formatNumber, formatShare, Message, Select } from "@nereid/ui";
import { useState } from "react";
import { filledRows } from "./histogram-rows.ts";
import { levelWords } from "./load-test-words.ts";

export interface HistogramCardProps {
  readonly spec: LoadTestSpec;
  readonly levels: readonly LoadLevel[];
}

/** Answers of one level by latency: the shape that percentiles do not show. */
export function HistogramCard({ spec, levels }: HistogramCardProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const level = levels.find((one) => one.level === chosen) ?? levels.at(-1);
  if (level === undefined) return null;
  const rows = filledRows(level.histogram);
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const choice =
    levels.length < 2 ? undefined : (
      <Select aria-label="Level" value={String(level.level)} onChange={({ target }) => setChosen(Number(target.value))}>
        {levels.map((one) => (
          <option key={one.level} value={String(one.level)}>
            {levelWords(spec.load, one.level)}
          </option>
        ))}
      </Select>
    );
  return (
    <Card
      title="Answers by latency"
      hint="The scale is logarithmic: each bar is a fifth longer than the one before."
      actions={choice}
    >
      {rows.length === 0 ? (
        <Message kind="empty" title="Nothing was answered" />
      ) : (
        <figure>
          <figcaption className="sr-only">
            {formatNumber(total)} answers between {formatDuration(rows[0]?.fromMs ?? null)} and{" "}
            {formatDuration(rows.at(-1)?.toMs ?? null)}
          </figcaption>
          <ol className="flex h-40 items-end gap-px border-b">
            {rows.map(({ fromMs, toMs, count }) => {
              const says = `${formatDuration(fromMs)} to ${formatDuration(toMs)}: ${formatNumber(count)} answers, ${formatShare(count / total)}`;
              return (
                <li key={fromMs} title={says} className="flex h-full min-w-0 flex-1 items-end hover:bg-raised">
                  <span
                    className="w-full rounded-t-sm bg-(--series-infer)"
                    style={{ height: count === 0 ? 0 : `max(2px, ${(100 * count) / most}%)` }}
                  />
                  <span className="sr-only">{says}</span>
                </li>
              );
            })}
          </ol>
          <p aria-hidden className="mt-1 flex justify-between font-mono text-[0.786rem] text-ink-soft">
            <span>{formatDuration(rows[0]?.fromMs ?? null)}</span>
            {rows.length < 3 ? null : <span>{formatDuration(rows[Math.floor(rows.length / 2)]?.fromMs ?? null)}</span>}
            <span>{formatDuration(rows.at(-1)?.toMs ?? null)}</span>
          </p>
        </figure>
      )}
    </Card>
  );
}
