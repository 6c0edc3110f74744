"use client";

import type { ModelStatus, Traffic } from "@nereid/client";
import { trafficTarget, trafficTargetText } from "@nereid/client/traffic-target";
import { Card, ConfirmDialog, formatShare } from "@nereid/ui";
import { Split } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import Link from "../../lib/link.tsx";
import { CopyModelAction } from "../models/copy-model-action.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { useNode } from "../nodes/node-context.tsx";
import { divideRefusal, sharesOf, type TrafficRow, trafficRows } from "./traffic-draft.ts";
import { TrafficForm } from "./traffic-form.tsx";
import { TrafficShares } from "./traffic-shares.tsx";
import { useTrafficActions } from "./use-traffic-actions.ts";

/** `to` is what the traffic becomes when the question is answered with yes. */
type Question = { readonly to: Traffic | null };

/** Where the requests go that name no version, and the means to change it. */
export function TrafficCard({ model }: { readonly model: ModelStatus }) {
  const { name, traffic = null } = model;
  const rows = trafficRows(model);
  const { id: node } = useNode();
  const actions = useTrafficActions(name);
  const [editing, setEditing] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The form takes the focus away with it.
    if (wasEditing.current && !editing) buttons.current?.querySelector("button")?.focus();
    wasEditing.current = editing;
  }, [editing]);

  return (
    <Card
      title="Traffic"
      aria-label="Traffic"
      hint="Where requests go that name no version."
      flush={traffic !== null && !editing}
      actions={
        editing ? null : (
          <div ref={buttons} className="flex flex-wrap items-center gap-2">
            <GuardedButton
              permission="model.load"
              refusal={traffic === null ? divideRefusal(rows) : null}
              disabled={actions.busy}
              onClick={() => setEditing(true)}
            >
              <Split aria-hidden />
              {traffic === null ? "Divide traffic" : "Change the weights"}
            </GuardedButton>
            <Link
              href={withNode(`/rollouts?model=${encodeURIComponent(name)}`, node)}
              className="inline-flex min-h-[24px] items-center rounded-sm text-[0.857rem] hover:underline"
            >
              Roll a version out
            </Link>
            {traffic === null ? null : (
              <GuardedButton permission="model.load" busy={actions.busy} onClick={() => setQuestion({ to: null })}>
                Stop dividing
              </GuardedButton>
            )}
          </div>
        )
      }
    >
      {editing ? (
        <TrafficForm
          rows={rows}
          traffic={traffic}
          busy={actions.busy}
          onReview={(to) => setQuestion({ to })}
          onCancel={() => setEditing(false)}
        />
      ) : traffic === null ? (
        <p className="text-ink-soft">{undividedText(rows)}</p>
      ) : (
        <>
          <TrafficShares rows={rows} />
          {traffic.stickyHeader === undefined ? null : (
            <p className="border-t px-4 py-2.5 text-[0.857rem] text-ink-soft">
              Requests with the same value of{" "}
              <code className="font-mono text-ink [overflow-wrap:anywhere]">{traffic.stickyHeader}</code> go to the same
              version.
            </p>
          )}
        </>
      )}
      <TrafficQuestion
        model={name}
        rows={rows}
        question={question}
        onClose={() => setQuestion(null)}
        onConfirm={({ to }) => actions.divide({ to, before: traffic, onDone: () => setEditing(false) })}
      />
    </Card>
  );
}

function undividedText(rows: readonly TrafficRow[]): string {
  const highest = rows[0]?.version;
  if (highest === undefined) return "No version is ready, so they are refused.";
  return `All to the highest version that is ready: version ${highest}.`;
}

interface TrafficQuestionProps {
  readonly model: string;
  readonly rows: readonly TrafficRow[];
  readonly question: Question | null;
  readonly onClose: () => void;
  readonly onConfirm: (question: Question) => void;
}

/** Says what every version will get before it does. */
function TrafficQuestion({ model, rows, question, onClose, onConfirm }: TrafficQuestionProps) {
  const to = question?.to ?? null;
  const highest = rows.find(({ version, served }) => served && trafficTarget(version).kind === "version")?.version;
  const shares =
    to === null
      ? highest === undefined
        ? {}
        : { [highest]: 1 }
      : sharesOf({ weights: mapValues(to.weights, String) }, rows);
  return (
    <ConfirmDialog
      open={question !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={to === null ? `Stop dividing the traffic of ${model}?` : `Divide the traffic of ${model}?`}
      action={to === null ? "Stop dividing" : "Divide the traffic"}
      onConfirm={() => {
        if (question !== null) onConfirm(question);
      }}
    >
      <p>Of the requests that name no version, from now on and after restarts:</p>
      <ul className="list-disc space-y-0.5 pl-5 text-ink">
        {rows.map(({ version, share }) => (
          <li key={version}>
            {trafficTargetText(version)} gets {formatShare(shares[version] ?? 0)}, now {formatShare(share)}
          </li>
        ))}
      </ul>
      {to?.stickyHeader === undefined ? null : (
        <p>
          Those with the same value of <code className="font-mono text-ink">{to.stickyHeader}</code> go to the same
          version.
        </p>
      )}
      {question === null ? null : <CopyModelAction model={model} action={{ kind: "traffic", to }} />}
    </ConfirmDialog>
  );
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
