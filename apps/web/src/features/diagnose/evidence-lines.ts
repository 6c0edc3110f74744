import type { DiagnosisReport, EvidenceChart } from "@nereid/services";
import { formatDuration, formatNumber, formatShare } from "@nereid/ui";
import { type LineLook, prepareLines } from "@nereid/ui/charts";

type Point = DiagnosisReport["timeline"][number];
type Key = Exclude<keyof Point, "t">;

export interface EvidenceDrawing {
  readonly title: string;
  readonly lines: readonly LineLook[];
  readonly prepared: ReturnType<typeof prepareLines>;
  readonly format: (value: number | null) => string;
}

interface Plan {
  readonly title: string;
  readonly lines: readonly LineLook[];
  readonly format: (value: number | null) => string;
}

const ms = (value: number | null) => (value === null ? "–" : formatDuration(value));
const count = (value: number | null) => (value === null ? "–" : formatNumber(value));
const share = (value: number | null) => (value === null ? "–" : formatShare(value));
const line = (key: Key, label: string, color: string): LineLook => ({ key, label, color });

const P99 = line("p99", "p99", "var(--series-line)");
const QUEUE = line("queue", "Queue, mean", "var(--series-queue)");
const INFER = line("infer", "Compute infer, mean", "var(--series-infer)");

/** What each kind of evidence draws; figures of different units never share a chart. */
const PLANS: Readonly<Record<EvidenceChart, readonly Plan[]>> = {
  latency: [{ title: "99th percentile", lines: [P99], format: ms }],
  phases: [{ title: "Mean time of a request", lines: [QUEUE, INFER], format: ms }],
  queue: [
    {
      title: "Waiting requests, most of each step",
      lines: [line("pending", "Waiting", "var(--series-queue)")],
      format: count,
    },
    { title: "Mean wait", lines: [QUEUE], format: ms },
  ],
  batches: [
    {
      title: "Inferences an execution, mean",
      lines: [line("meanBatch", "Batch", "var(--series-infer)")],
      format: count,
    },
    { title: "Mean wait", lines: [QUEUE], format: ms },
  ],
  failures: [
    {
      title: "Requests",
      lines: [line("requests", "All", "var(--series-infer)"), line("failed", "Failed", "var(--series-queue)")],
      format: count,
    },
  ],
  machine: [
    { title: "Processors in use", lines: [line("cpu", "All processors", "var(--series-infer)")], format: share },
    { title: "Event-loop lag, greatest", lines: [line("eventLoopLagMs", "Lag", "var(--series-output)")], format: ms },
  ],
  gpu: [{ title: "Mean execution", lines: [INFER], format: ms }],
  neighbours: [
    { title: "Mean execution of this model", lines: [INFER], format: ms },
    {
      title: "Processors other models kept busy",
      lines: [line("neighbours", "Others", "var(--series-queue)")],
      format: count,
    },
  ],
};

/** The charts that show what a step looked at. */
export function evidenceDrawings(report: DiagnosisReport, chart: EvidenceChart): EvidenceDrawing[] {
  const { timeline } = report;
  const step = stepOf(timeline);
  const rows = timeline.map(({ t, ...values }) => ({ t, values }));
  const from = timeline[0]?.t ?? report.from;
  const to = (timeline.at(-1)?.t ?? report.to) + step;
  return PLANS[chart].map((plan) => ({ ...plan, prepared: prepareLines({ rows, lines: plan.lines, from, to, step }) }));
}

/** Smallest distance of two points; a second where there is only one. */
function stepOf(timeline: readonly Point[]): number {
  const gaps = timeline.slice(1).map(({ t }, i) => t - (timeline[i]?.t ?? t));
  return gaps.length === 0 ? 1 : Math.max(1, Math.min(...gaps));
}
