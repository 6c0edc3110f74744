"use client";

import type { LabJobView } from "@nereid/services";
import type { LoadPoint, LoadTestProgress } from "@nereid/services/load-test-report";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { Card, formatDuration, formatNumber, Message } from "@nereid/ui";
import { type LineLook, LinesChart, LinesLegend, prepareLines } from "@nereid/ui/charts";
import { levelWords } from "./load-test-words.ts";
import { type PointRows, pointRows } from "./point-rows.ts";

export interface PointsCardProps {
  readonly job: LabJobView;
  readonly spec: LoadTestSpec;
  readonly progress: LoadTestProgress;
}

interface Look extends LineLook {
  readonly key: keyof LoadPoint & string;
}

const RATES: readonly Look[] = [
  { key: "throughput", label: "Answered a second", color: "var(--series-infer)" },
  { key: "offered", label: "Due a second", color: "var(--series-line)", dash: "6 3" },
];
const LATENCIES: readonly Look[] = [
  { key: "p99", label: "p99", color: "var(--series-line)" },
  { key: "p90", label: "p90", color: "var(--series-output)", dash: "6 3" },
  { key: "p50", label: "p50", color: "var(--series-infer)" },
];
/** Means; beside percentiles they would lie on the ground. */
const PHASES: readonly Look[] = [
  { key: "serverQueueMs", label: "Queue", color: "var(--series-queue)" },
  { key: "serverComputeMs", label: "Compute", color: "var(--series-infer)", dash: "6 3" },
];

/** Throughput and latency second by second, the client's side beside the server's. */
export function PointsCard({ job: { state }, spec, progress: { points } }: PointsCardProps) {
  const startedAtMs = state.kind === "waiting" ? null : state.startedAtMs;
  if (startedAtMs === null || points.length === 0) {
    return (
      <Card title="Second by second">
        <Message
          kind="empty"
          title={state.kind === "running" ? "The first second is under way" : "Nothing was measured"}
        />
      </Card>
    );
  }
  const rows = pointRows(points, startedAtMs);
  const shared = { spec, rows };
  const hasServer = points.some(({ serverComputeMs }) => serverComputeMs !== null);
  const isOpen = points.some(({ offered }) => offered !== null);
  return (
    <Card
      title="Second by second"
      hint={
        rows.levels.length > 1
          ? "Each dotted line is the begin of a level; the time before it counts is its warm-up."
          : undefined
      }
    >
      <div className="grid gap-x-6 gap-y-4 xl:grid-cols-3">
        <PointChart title="Throughput" {...shared} lines={isOpen ? RATES : RATES.slice(0, 1)} format={formatNumber} />
        <PointChart title="Latency of the client" {...shared} lines={LATENCIES} format={formatDuration} />
        {hasServer ? (
          <PointChart title="Mean on the server" {...shared} lines={PHASES} format={formatDuration} />
        ) : (
          <Message kind="missing" title="The server tells nothing of itself" />
        )}
      </div>
    </Card>
  );
}

interface PointChartProps {
  readonly title: string;
  readonly spec: LoadTestSpec;
  readonly rows: PointRows;
  readonly lines: readonly Look[];
  readonly format: (value: number | null) => string;
}

function PointChart({ title, spec: { load }, rows: { from, to, step, rows, levels }, lines, format }: PointChartProps) {
  const charted = rows.map(({ t, point }) => ({
    t,
    values: Object.fromEntries(lines.map(({ key }) => [key, point[key]])),
  }));
  const last = rows.at(-1)?.point;
  const says = lines.map(({ key, label }) => `${label} ${format(last?.[key] ?? null)}`).join(", ");
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium text-[0.857rem]">{title}</h3>
        <LinesLegend lines={lines} />
      </div>
      <LinesChart
        prepared={prepareLines({ rows: charted, lines, from, to, step })}
        lines={lines}
        events={levels.map(({ t, level }) => ({
          t,
          label: levelWords(load, level),
          mark: String(Number(level.toPrecision(3))),
        }))}
        summary={`${title} of the load test, at the end: ${says}`}
        format={format}
        syncId="load-test"
      />
    </div>
  );
}
