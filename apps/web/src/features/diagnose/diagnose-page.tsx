"use client";

import { Button, Message, Skeleton } from "@nereid/ui";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { readBars } from "./bars.ts";
import { BarsCard } from "./bars-card.tsx";
import { ComparisonCard } from "./comparison-card.tsx";
import { DiagnoseForm } from "./diagnose-form.tsx";
import { KeptCard } from "./kept-card.tsx";
import { diagnoseSearchParams, readChoices, withChoice } from "./search-params.ts";
import { StepsCard } from "./steps-card.tsx";
import { VerdictCard } from "./verdict-card.tsx";

/** What is wrong with a model, and what to do about it. */
export function DiagnosePage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [params, setParams] = useQueryStates(diagnoseSearchParams);
  const { model, version, symptom, from, to, choices, bars: barsTold, kept, with: comparedId } = params;
  const bars = readBars(barsTold);
  const input = {
    model: model ?? "",
    symptom,
    choices: readChoices(choices),
    ...(Object.keys(bars).length > 0 && { bars }),
    ...(version !== null && { version }),
    ...(from !== null && to !== null && { from, to }),
  };
  const run = useQuery(
    trpc.diagnose.run.queryOptions(input, {
      enabled: model !== null && kept === null,
      staleTime: Number.POSITIVE_INFINITY,
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: false,
    }),
  );
  const opened = useQuery(trpc.diagnose.get.queryOptions({ id: kept ?? "" }, { enabled: kept !== null }));
  const compared = useQuery(trpc.diagnose.get.queryOptions({ id: comparedId ?? "" }, { enabled: comparedId !== null }));
  const list = useQuery(trpc.diagnose.list.queryOptions({ model: model ?? "" }, { enabled: model !== null }));
  const keep = useMutation(
    trpc.diagnose.keep.mutationOptions({
      onSuccess: ({ id, report }) => {
        toast.success("Kept. Make the change, let the traffic run, then diagnose again and compare.");
        void queryClient.invalidateQueries({ queryKey: trpc.diagnose.list.queryKey({ model: report.model }) });
        void setParams({ with: id });
      },
      onError: (error) => toast.error(shownError(error).message),
    }),
  );
  const query = kept === null ? run : opened;
  const report = kept === null ? run.data : opened.data?.report;

  let content: ReactNode;
  if (model === null && kept === null) {
    content = (
      <Message kind="empty" title="Choose a model, and what you see of it">
        Its figures of the last five minutes, or of a range that you bring from a chart, are walked through step by
        step.
      </Message>
    );
  } else if (report === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="h-72" />
    );
  } else {
    content = (
      <div className="space-y-4" aria-busy={query.isFetching}>
        <VerdictCard
          report={report}
          keeping={keep.isPending}
          {...(kept === null && { onKeep: () => keep.mutate({ ...input, from: report.from, to: report.to }) })}
        />
        {compared.data === undefined || kept !== null ? null : <ComparisonCard before={compared.data} now={report} />}
        <StepsCard
          report={report}
          {...(kept === null && {
            onChoose: (step: string, branch: string | null) =>
              void setParams({
                choices: withChoice(choices, step, branch) || null,
                from: report.from,
                to: report.to,
              }),
          })}
        />
        <BarsCard
          bars={report.bars}
          busy={query.isFetching}
          {...(kept === null && {
            // Of the same window: another one would change more than the bars.
            onChange: (text: string) =>
              void setParams({ bars: text || null, from: report.from, to: report.to }, { history: "push" }),
          })}
        />
      </div>
    );
  }
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Diagnose</h1>
        <p className="text-ink-soft">Why is a model slow, or failing, and what would help?</p>
      </div>
      <DiagnoseForm
        busy={run.isFetching}
        onRun={() => {
          void setParams({ from: null, to: null, kept: null, choices: null });
          if (from === null && kept === null && choices === "") void run.refetch();
        }}
      />
      {kept === null ? null : (
        <p className="flex flex-wrap items-center gap-2 text-ink-soft">
          This report was kept.
          <Button size="small" onClick={() => void setParams({ kept: null })}>
            Diagnose anew
          </Button>
        </p>
      )}
      {content}
      <KeptCard kept={list.data ?? []} />
    </div>
  );
}
