"use client";

import { Badge, Card } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { LocalTime } from "../audit/local-time.tsx";
import { JobFrame } from "../lab/job-frame.tsx";
import { JobHeading } from "../lab/job-heading.tsx";
import { NotesCard } from "../lab/notes-card.tsx";
import { DecideButtons } from "./decide-buttons.tsx";
import { EffectsCard } from "./effects-card.tsx";
import { VERDICT_WORDS } from "./experiment-words.ts";
import { readExperiment } from "./read-experiment.ts";
import { WindowsCard } from "./windows-card.tsx";

/** One experiment: the hypothesis, what was measured, the verdict, and what became of the change. */
export function ExperimentPage({ id }: { readonly id: string }) {
  return (
    <JobFrame id={id} kind="experiment">
      {(job) => {
        const { spec, windows, result, decision } = readExperiment(job);
        return (
          <>
            <JobHeading
              job={job}
              actions={
                spec !== null && job.state.kind === "succeeded" && decision === null ? (
                  <DecideButtons job={job} spec={spec} verdict={result?.verdict ?? null} />
                ) : undefined
              }
            />
            {result === null ? null : (
              <Card title="Verdict">
                <div className="space-y-3">
                  <p className="flex flex-wrap items-center gap-3">
                    <Badge tone={VERDICT_WORDS[result.verdict].tone}>{VERDICT_WORDS[result.verdict].text}</Badge>
                    {decision === null ? null : (
                      <span className="text-ink-soft">
                        {decision.kind === "kept" ? "Kept" : "Not kept"} by {decision.byName},{" "}
                        <LocalTime at={new Date(decision.atMs)} />
                        {decision.reason === null ? "" : `: ${decision.reason}`}
                      </span>
                    )}
                  </p>
                  <ul className="list-disc space-y-1 pl-5">
                    {result.sentences.map((sentence) => (
                      <li key={sentence} className="[overflow-wrap:anywhere]">
                        {sentence}
                      </li>
                    ))}
                  </ul>
                </div>
              </Card>
            )}
            {result === null ? null : <EffectsCard effects={result.effects} leastEffect={spec?.leastEffect ?? 0} />}
            <WindowsCard windows={windows} metric={spec?.metric ?? "p99"} active={job.active} />
            {spec === null ? null : (
              <Card title="The change" hint="What the changed side had.">
                <ConfigDiff
                  before={spec.baseline.text}
                  after={spec.change.text}
                  beforeLabel="As it was"
                  afterLabel="Changed"
                />
              </Card>
            )}
            <NotesCard key={`${job.title} ${job.note}`} job={job} />
          </>
        );
      }}
    </JobFrame>
  );
}
