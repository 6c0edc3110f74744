"use client";

import type { LabJobView } from "@nereid/services";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { Banner, Button, Card } from "@nereid/ui";
import { RotateCw } from "lucide-react";
import Link from "../../lib/link.tsx";
import { JobFrame } from "../lab/job-frame.tsx";
import { JobHeading } from "../lab/job-heading.tsx";
import { NotesCard } from "../lab/notes-card.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { CopyCard } from "./copy-card.tsx";
import { HistogramCard } from "./histogram-card.tsx";
import { LevelsCard } from "./levels-card.tsx";
import { levelWords } from "./load-test-words.ts";
import { PointsCard } from "./points-card.tsx";
import { newTestPath } from "./search-params.ts";
import { ThresholdsCard } from "./thresholds-card.tsx";
import { useLoadTest } from "./use-result.ts";

/** One load test: live while it runs, and what came of it. */
export function LoadTestPage({ id }: { readonly id: string }) {
  return (
    <JobFrame id={id} kind="load-test">
      {(job) => <LoadTest job={job} />}
    </JobFrame>
  );
}

function LoadTest({ job }: { readonly job: LabJobView }) {
  const { spec, progress, result } = useLoadTest(job);
  const again = (
    <Button asChild size="small">
      <Link href={withNode(newTestPath({ from: job.id }), job.node === "local" ? null : job.node)}>
        <RotateCw aria-hidden />
        Run again
      </Link>
    </Button>
  );
  const levels = result?.levels ?? [];
  const warnings = levels.flatMap(({ level, warnings: texts }) => texts.map((text) => ({ level, text })));
  return (
    <>
      <JobHeading job={job} actions={again} />
      {spec === null || warnings.length === 0 ? null : <Warnings spec={spec} warnings={warnings} />}
      {spec === null || result === null ? null : <ThresholdsCard spec={spec} result={result} />}
      {spec === null || progress === null ? null : <PointsCard job={job} spec={spec} progress={progress} />}
      {spec === null || levels.length === 0 ? null : (
        <>
          <LevelsCard spec={spec} levels={levels} best={result?.best ?? null} />
          <HistogramCard spec={spec} levels={levels} />
        </>
      )}
      {spec === null ? (
        <Card title="What was asked">
          <p>This test was begun by a later release, which can show it.</p>
        </Card>
      ) : (
        <CopyCard job={job} spec={spec} levels={levels} />
      )}
      <NotesCard key={`${job.title} ${job.note}`} job={job} />
    </>
  );
}

/** What is told at once; further levels mostly say the same. */
const MOST_WARNINGS = 6;

interface WarningsProps {
  readonly spec: LoadTestSpec;
  readonly warnings: readonly { readonly level: number; readonly text: string }[];
}

function Warnings({ spec, warnings }: WarningsProps) {
  const more = warnings.length - MOST_WARNINGS;
  return (
    <Banner tone="warn">
      <strong className="font-semibold">Read the figures with care.</strong>
      <ul className="mt-1 space-y-1">
        {warnings.slice(0, MOST_WARNINGS).map(({ level, text }) => (
          <li key={`${level} ${text}`}>
            {levelWords(spec.load, level)}: {text}
          </li>
        ))}
        {more > 0 ? <li>And {more} more of the kind.</li> : null}
      </ul>
    </Banner>
  );
}
