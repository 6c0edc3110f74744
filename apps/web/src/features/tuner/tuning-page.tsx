"use client";

import { paretoFront, type TuningPoint } from "@nereid/perf/tuner";
import type { LabJobView } from "@nereid/services";
import { Card, Field, Message } from "@nereid/ui";
import { FrontierChart, prepareFrontier } from "@nereid/ui/charts";
import { parseAsFloat, parseAsString, useQueryStates } from "nuqs";
import { JobFrame } from "../lab/job-frame.tsx";
import { JobHeading } from "../lab/job-heading.tsx";
import { NotesCard } from "../lab/notes-card.tsx";
import { ImportanceCard } from "./importance-card.tsx";
import { PointsCard } from "./points-card.tsx";
import { readTuning } from "./read-tuning.ts";
import { RecommendationCard } from "./recommendation-card.tsx";
import { figuresOf, goodputOf, pickUnder, settingWords } from "./tuning-figures.ts";

/** One search: what was tried, what is best under which limit, and what to do with it. */
export function TuningPage({ id }: { readonly id: string }) {
  return (
    <JobFrame id={id} kind="tuning">
      {(job) => <Tuning job={job} />}
    </JobFrame>
  );
}

function Tuning({ job }: { readonly job: LabJobView }) {
  const { progress, result } = readTuning(job);
  const asked = limitIn(job);
  const [{ limit, point: chosen }, setParams] = useQueryStates({ limit: parseAsFloat, point: parseAsString });
  const limitMs = limit ?? asked;
  const points = result?.points ?? progress?.points ?? [];
  const best = pickUnder(points, limitMs);
  const known = points.flatMap((point) => {
    const figures = figuresOf(point);
    return figures === null ? [] : [{ point, figures }];
  });
  const front = paretoFront(known.filter(({ point }) => point.measured !== null)).map(({ point }) => point.id);
  const prepared = prepareFrontier(
    known.map(({ point, figures }) => ({
      id: point.id,
      throughput: figures.throughput,
      p99Ms: figures.p99Us / 1000,
      measured: point.measured !== null,
    })),
    front,
    limitMs,
  );
  const labelOf = (id: string) => {
    const point = points.find((one) => one.id === id);
    return point === undefined ? id : `${settingWords(point.setting)} at ${point.level}`;
  };
  return (
    <>
      <JobHeading job={job} />
      {result === null ? null : (
        <RecommendationCard job={job} result={result} limitMs={limitMs} isAsked={limitMs === asked} best={best} />
      )}
      <Card
        title="Throughput and latency"
        hint="Full dots were measured, rings are the simulator’s word. The line joins what nothing beats in both."
        actions={
          <div className="w-36">
            <Field
              label="Good within, ms"
              inputMode="decimal"
              value={limitMs === null ? "" : String(limitMs)}
              onChange={({ target }) => void setParams({ limit: positive(target.value) })}
            />
          </div>
        }
      >
        {prepared.points.length === 0 ? (
          <Message kind="empty" title={job.active ? "Nothing is known yet" : "Nothing was measured"} />
        ) : (
          <FrontierChart
            prepared={prepared}
            summary={summaryOf(points, limitMs, best)}
            limitMs={limitMs}
            onLimit={(next) => void setParams({ limit: next })}
            best={best?.id ?? null}
            present={result?.present?.id ?? null}
            labelOf={labelOf}
            onPick={(picked) => void setParams({ point: picked })}
          />
        )}
      </Card>
      <PointsCard
        points={points}
        limitMs={limitMs}
        best={best?.id ?? null}
        chosen={chosen}
        space={result?.space ?? progress?.space ?? null}
      />
      {result === null ? null : <ImportanceCard importance={result.importance} simulator={result.simulator} />}
      <NotesCard key={`${job.title} ${job.note}`} job={job} />
    </>
  );
}

/** The limit that the search was asked for; null = it had none. */
function limitIn({ spec }: LabJobView): number | null {
  if (typeof spec !== "object" || spec === null || !("goodWithinMs" in spec)) return null;
  return typeof spec.goodWithinMs === "number" ? spec.goodWithinMs : null;
}

function positive(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}

function summaryOf(points: readonly TuningPoint[], limitMs: number | null, best: TuningPoint | null): string {
  const measured = points.filter(({ measured: is }) => is !== null).length;
  const limit = limitMs === null ? "" : ` within ${limitMs} ms`;
  const goodput = best === null ? null : goodputOf(best, limitMs);
  const words =
    best === null || goodput === null
      ? ""
      : ` The best has ${Math.round(goodput)} answers a second${limit}: ${settingWords(best.setting)}.`;
  return `Throughput against the 99th percentile of ${points.length} points, ${measured} of them measured.${words}`;
}
