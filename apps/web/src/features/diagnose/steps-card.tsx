"use client";

import type { DiagnosisReport } from "@nereid/services";
import { Badge, Card, Select } from "@nereid/ui";
import { LinesChart, LinesLegend } from "@nereid/ui/charts";
import { evidenceDrawings } from "./evidence-lines.ts";
import { branchLabel } from "./report-text.ts";

type Step = DiagnosisReport["steps"][number];

export interface StepsCardProps {
  readonly report: DiagnosisReport;
  /** Chooses a branch by hand, or gives the choice back with null; absent for a kept report. */
  readonly onChoose?: (step: string, branch: string | null) => void;
}

/** The way to the verdict: each question, what was found, and where it would have gone otherwise. */
export function StepsCard({ report, onChoose }: StepsCardProps) {
  return (
    <Card
      title="How it was found"
      hint="Each step looks at the window and takes one branch. Choose another if you know better."
    >
      <ol className="space-y-6">
        {report.steps.map((step, index) => (
          <StepItem
            key={step.id}
            report={report}
            step={step}
            number={index + 1}
            drawn={report.steps.findIndex(({ chart }) => chart === step.chart) < index}
            {...(onChoose && { onChoose })}
          />
        ))}
      </ol>
    </Card>
  );
}

interface StepItemProps extends StepsCardProps {
  readonly step: Step;
  readonly number: number;
  /** An earlier step shows the same chart already. */
  readonly drawn: boolean;
}

function StepItem({ report, step, number, drawn, onChoose }: StepItemProps) {
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-full border bg-raised font-medium font-mono text-[0.857rem]"
      >
        {number}
      </span>
      <div className="min-w-0 space-y-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pt-0.5">
          <h3 className="font-semibold">{step.question}</h3>
          {onChoose === undefined || step.branches.length < 2 ? (
            <Badge tone="accent">{branchLabel(step)}</Badge>
          ) : (
            <Select
              aria-label={`Answer to: ${step.question}`}
              value={step.branch}
              className="max-w-72"
              onChange={(event) => onChoose(step.id, event.target.value === step.overruled ? null : event.target.value)}
            >
              {step.branches.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
          )}
          {step.overruled === null ? null : <Badge tone="warn">Chosen by hand</Badge>}
        </div>
        <p>{step.says}</p>
        <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(16rem,1fr)_2fr]">
          <EvidenceList step={step} />
          {drawn ? null : <EvidenceCharts report={report} step={step} />}
        </div>
      </div>
    </li>
  );
}

function EvidenceList({ step }: { readonly step: Step }) {
  if (step.evidence.length === 0) return <span />;
  return (
    <dl className="h-fit divide-y rounded-md border text-[0.893rem]">
      {step.evidence.map(({ label, value, bar }) => (
        <div key={label} className="flex items-baseline justify-between gap-3 px-3 py-1.5">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="text-right">
            <span className="font-mono">{value}</span>
            {bar === undefined ? null : <span className="block text-[0.786rem] text-ink-soft">bar: {bar}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function EvidenceCharts({ report, step }: { readonly report: DiagnosisReport; readonly step: Step }) {
  const drawings = step.chart === undefined ? [] : evidenceDrawings(report, step.chart);
  return (
    <div className={drawings.length > 1 ? "grid min-w-0 gap-3 sm:grid-cols-2" : "min-w-0"}>
      {drawings.map(({ title, lines, prepared, format }) => (
        <div key={title} className="min-w-0">
          <p className="mb-1 text-[0.857rem] text-ink-soft">{title}</p>
          <LinesChart
            prepared={prepared}
            lines={lines}
            format={format}
            syncId="diagnose"
            summary={`${title} of ${report.model} over the window, ${prepared.points.length} points.`}
          />
          {lines.length > 1 ? <LinesLegend lines={lines} /> : null}
        </div>
      ))}
    </div>
  );
}
