"use client";

import type { Draft, DraftReport } from "@nereid/client";
import { Banner, Button, Card, formatBytes, Message } from "@nereid/ui";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { DraftConfig } from "./draft-config.tsx";
import { DraftTarget } from "./draft-target.tsx";
import { PublishCard } from "./publish-card.tsx";
import { TrialCard } from "./trial-card.tsx";
import type { Deploy } from "./use-deploy.ts";

const ICONS = {
  error: { Icon: CircleAlert, look: "text-bad", word: "Error" },
  warning: { Icon: TriangleAlert, look: "text-warn", word: "Warning" },
  info: { Icon: Info, look: "text-ink-soft", word: "Note" },
} as const;

/** What the check found, what will change, and the step that makes it so. */
export function ReportView({ deploy, draft }: { readonly deploy: Deploy; readonly draft: Draft }) {
  const { report, problem } = draft;
  if (deploy.checking) {
    return (
      <Card>
        <p role="status" className="flex items-center gap-2 text-ink-soft">
          <span aria-hidden className="size-2 animate-pulse rounded-full bg-busy" />
          {draft.step === "" ? "Checking" : draft.step} …
        </p>
      </Card>
    );
  }
  return (
    <>
      {problem === null ? null : (
        <Banner tone="bad">
          <p className="[overflow-wrap:anywhere]">{problem.message}</p>
          {problem.fix === undefined ? null : <p className="text-ink-soft">What to do: {problem.fix}.</p>}
          {report === null ? (
            <Button size="small" className="mt-2" onClick={deploy.check}>
              Check again
            </Button>
          ) : null}
        </Banner>
      )}
      {report === null ? null : <Report deploy={deploy} draft={draft} report={report} />}
    </>
  );
}

interface ReportProps {
  readonly deploy: Deploy;
  readonly draft: Draft;
  readonly report: DraftReport;
}

function Report({ deploy, draft, report }: ReportProps) {
  return (
    <>
      <DraftTarget key={`${report.model}/${report.version}`} deploy={deploy} report={report} />
      {report.findings.length === 0 ? null : <Findings report={report} />}
      <div className="grid gap-4 xl:grid-cols-2">
        <GraphCard report={report} />
        <TrialCard trial={report.trial} />
      </div>
      <DraftConfig key={report.config.text} deploy={deploy} report={report} />
      <PublishCard deploy={deploy} draft={draft} report={report} />
    </>
  );
}

function Findings({ report }: { readonly report: DraftReport }) {
  return (
    <Card title="Findings">
      <ul className="space-y-2">
        {report.findings.map(({ severity, code, message, fix }) => {
          const { Icon, look, word } = ICONS[severity];
          return (
            <li key={`${code} ${message}`} className="flex gap-2.5">
              <Icon aria-label={word} className={`mt-0.5 size-4 shrink-0 ${look}`} />
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <p>{message}</p>
                {fix === undefined ? null : <p className="text-ink-soft">What to do: {fix}.</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function GraphCard({ report }: { readonly report: DraftReport }) {
  const { graph, files } = report;
  return (
    <Card
      title="What is in it"
      hint={`${files.length === 1 ? "1 file" : `${files.length} files`}, ${formatBytes(files.reduce((sum, one) => sum + one.bytes, 0))}`}
    >
      {graph === null ? (
        <Message kind="missing" title="No ONNX graph was found in it" />
      ) : (
        <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-2">
          <dt className="text-ink-soft">Inputs</dt>
          <dd>
            <TensorList tensors={graph.inputs} />
          </dd>
          <dt className="text-ink-soft">Outputs</dt>
          <dd>
            <TensorList tensors={graph.outputs} />
          </dd>
          <dt className="text-ink-soft">Operator set</dt>
          <dd>
            {Object.entries(graph.opset)
              .map(([domain, version]) => `${domain === "" ? "ai.onnx" : domain} ${version}`)
              .join(", ")}
          </dd>
          <dt className="text-ink-soft">Producer</dt>
          <dd>{graph.producer === "" ? "not said" : graph.producer}</dd>
          <dt className="text-ink-soft">External data</dt>
          <dd className="[overflow-wrap:anywhere]">
            {graph.externalData.length === 0 ? "none" : graph.externalData.join(", ")}
          </dd>
          <dt className="text-ink-soft">Files</dt>
          <dd className="max-h-40 overflow-y-auto font-mono text-[0.857rem]">
            {files.map(({ path, sha256 }) => (
              <p key={path} className="[overflow-wrap:anywhere]">
                {path} <span className="text-ink-soft">sha256 {sha256.slice(0, 12)}</span>
              </p>
            ))}
          </dd>
        </dl>
      )}
    </Card>
  );
}

function TensorList({ tensors }: { readonly tensors: NonNullable<DraftReport["graph"]>["inputs"] }) {
  return (
    <ul className="font-mono text-[0.893rem]">
      {tensors.map(({ name, datatype, dims }) => (
        <li key={name} className="[overflow-wrap:anywhere]">
          {name}{" "}
          <span className="text-ink-soft">
            {datatype} [{dims.join(", ")}]
          </span>
        </li>
      ))}
    </ul>
  );
}
