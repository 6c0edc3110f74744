"use client";

import type { LabJobView } from "@nereid/services";
import { Badge, Banner, ProgressBar } from "@nereid/ui";
import type { ReactNode } from "react";
import Link from "../../lib/link.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { useNode } from "../nodes/node-context.tsx";
import { jobDuration, jobLine, PHASE_WORDS } from "./lab-words.ts";
import { StopButton } from "./stop-button.tsx";

export interface JobHeadingProps {
  readonly job: LabJobView;
  /** Beside the button that stops it. */
  readonly actions?: ReactNode;
}

/** What a job is, how it stands, who began it when, and what can be done with it. */
export function JobHeading({ job, actions }: JobHeadingProps) {
  const { title, model, node, state, createdAtMs, createdByName, share, active } = job;
  const { choices } = useNode();
  const { text, tone } = PHASE_WORDS[state.kind];
  const nodeName = choices.find(({ id }) => id === node)?.name ?? node;
  const lasted = jobDuration(state, Date.now());
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 space-y-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="font-semibold text-xl tracking-tight [overflow-wrap:anywhere]">{title}</h1>
            <Badge tone={tone}>{text}</Badge>
          </div>
          {state.kind === "failed" ? null : (
            <p role="status" className="[overflow-wrap:anywhere]">
              {jobLine(job)}
            </p>
          )}
          <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
            <Link
              href={withNode(modelPath(model), node === "local" ? null : node)}
              className="inline-flex min-h-[24px] items-center rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current"
            >
              {model}
            </Link>{" "}
            on {nodeName} · {createdByName}, <LocalTime at={new Date(createdAtMs)} />
            {lasted === null ? null : ` · ${lasted}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {actions}
          {active ? <StopButton job={job} /> : null}
        </div>
      </div>
      {state.kind === "running" ? <ProgressBar label={`Progress of ${title}`} share={share} /> : null}
      {state.kind === "failed" ? (
        <Banner tone="bad">
          <strong className="font-semibold">{state.problem.message}</strong>
          {state.problem.fix === null ? null : <span> What to do: {state.problem.fix}.</span>}
        </Banner>
      ) : null}
    </div>
  );
}
