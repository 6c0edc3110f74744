"use client";

import type { DiagnosisReport } from "@nereid/services";
import { Button, Card, CopyButton, formatDateTime, formatNumber } from "@nereid/ui";
import { ArrowRight, FilePen, Lightbulb, Save } from "lucide-react";
import Link from "../../lib/link.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { loadTestOf, loadTestPath } from "./load-test-of.ts";
import { reportText } from "./report-text.ts";
import { useSuggestionDraft } from "./use-suggestion-draft.ts";

export interface VerdictCardProps {
  readonly report: DiagnosisReport;
  readonly keeping: boolean;
  /** Keeps the report, to compare a later one with; absent for one that is kept. */
  readonly onKeep?: () => void;
}

/** What is wrong, how sure that is, and the one thing to do about it. */
export function VerdictCard({ report, keeping, onKeep }: VerdictCardProps) {
  const { verdict, figures } = report;
  const sure = Math.round(verdict.confidence * 100);
  return (
    <Card aria-label="Verdict" className="border-l-4 border-l-accent">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 max-w-prose space-y-1.5">
          <p className="text-[0.857rem] text-ink-soft">
            {report.title} · {formatDateTime(new Date(report.from * 1000))} to{" "}
            {formatDateTime(new Date(report.to * 1000))} · {formatNumber(figures.requests)} requests
          </p>
          <h2 className="font-semibold text-lg leading-snug [overflow-wrap:anywhere]">{verdict.title}</h2>
          <p className="[overflow-wrap:anywhere]">{verdict.explanation}</p>
        </div>
        <div className="w-40 shrink-0">
          <p className="flex justify-between text-[0.857rem] text-ink-soft">
            <span>Confidence</span> <span className="font-mono text-ink">{sure} %</span>
          </p>
          <div className="mt-1 h-1.5 overflow-hidden rounded-full bg-raised" aria-hidden>
            <div className="h-full rounded-full bg-accent" style={{ width: `${sure}%` }} />
          </div>
        </div>
      </div>
      <SuggestionPart report={report} />
      <div className="mt-4 flex flex-wrap items-center gap-2 border-t pt-3">
        {onKeep === undefined ? null : (
          <GuardedButton permission="model.configure" busy={keeping} onClick={onKeep}>
            <Save aria-hidden />
            Keep, to compare later
          </GuardedButton>
        )}
        <CopyButton text={reportText(report)} label="Copy the report">
          Copy report
        </CopyButton>
        <CopyButton text={loadTestOf(report)} label="Copy the command of a load test with this traffic">
          Copy as load test
        </CopyButton>
        <Button asChild size="small">
          <Link href={loadTestPath(report)}>
            Verify by a load test
            <ArrowRight aria-hidden />
          </Link>
        </Button>
        <Button asChild size="small">
          <Link href={requestsPath(report)}>
            Slow requests of this window
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      </div>
    </Card>
  );
}

function SuggestionPart({ report }: { readonly report: DiagnosisReport }) {
  const draft = useSuggestionDraft(report.model);
  const { suggestion } = report.verdict;
  if (suggestion === null) return null;
  return (
    <div className="mt-4 flex flex-wrap items-start gap-3 rounded-md border bg-raised/50 p-3.5">
      <Lightbulb aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
      <div className="min-w-[min(100%-2.5rem,18rem)] flex-1 space-y-1">
        <p className="font-medium [overflow-wrap:anywhere]">{suggestion.says}</p>
        <p className="text-ink-soft [overflow-wrap:anywhere]">Expected: {suggestion.effect}</p>
        {draft.problem === null ? null : <p className="text-bad">{draft.problem}</p>}
      </div>
      {suggestion.edits.length > 0 ? (
        <GuardedButton permission="model.configure" busy={draft.busy} onClick={() => draft.open(suggestion.edits)}>
          <FilePen aria-hidden />
          Open as a draft
        </GuardedButton>
      ) : suggestion.link === undefined ? null : (
        <Button asChild size="small">
          <Link href={linkOf(report.model, suggestion.link)}>
            Go there
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      )}
    </div>
  );
}

/** A suggestion's link: a path of the dashboard, or a page of the model. */
function linkOf(model: string, link: string): string {
  return link.startsWith("/") ? link : `${modelPath(model)}/${link}`;
}

function requestsPath({ model, from, to }: DiagnosisReport): string {
  return `${modelPath(model)}/requests?${new URLSearchParams({ from: String(from), to: String(to) })}`;
}
