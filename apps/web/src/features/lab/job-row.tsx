import type { LabJobSummary } from "@nereid/services";
import { Badge, ProgressBar } from "@nereid/ui";
import type { ReactNode } from "react";
import Link from "../../lib/link.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { jobLine, jobPath, PHASE_WORDS } from "./lab-words.ts";

export interface JobRowProps {
  readonly job: LabJobSummary;
  /** Before the title, such as a checkbox. */
  readonly before?: ReactNode;
}

/** One job in a list: what, how it stands, who began it. */
export function JobRow({ job, before }: JobRowProps) {
  const { title, model, note, state, createdAtMs, createdByName, share } = job;
  const { text, tone } = PHASE_WORDS[state.kind];
  return (
    <li className="flex gap-3 px-4 py-3">
      {before}
      <div className="min-w-0 flex-1 space-y-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            href={jobPath(job)}
            className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline [overflow-wrap:anywhere]"
          >
            {title}
          </Link>
          <Badge tone={tone}>{text}</Badge>
        </p>
        <p className="[overflow-wrap:anywhere]">{jobLine(job)}</p>
        {state.kind === "running" ? (
          <ProgressBar label={`Progress of ${title}`} share={share} className="max-w-md" />
        ) : null}
        <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
          {model} · {createdByName}, <LocalTime at={new Date(createdAtMs)} relative />
          {note === "" ? null : ` · ${note}`}
        </p>
      </div>
    </li>
  );
}
