"use client";

import type { TuningPoint, TuningResult } from "@nereid/perf/tuner";
import type { LabJobView } from "@nereid/services";
import { Banner, Button, Card, formatShare } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { downloadText } from "../../lib/download-text.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { keepDraft } from "../config/use-config-draft.ts";
import { GuardedButton } from "../models/guarded-button.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { tuningCsv } from "./tuning-csv.ts";
import { settingWords } from "./tuning-figures.ts";
import { withFields } from "./with-fields.ts";

export interface RecommendationCardProps {
  readonly job: LabJobView;
  readonly result: TuningResult;
  readonly limitMs: number | null;
  /** Whether the limit is the one that the search was for. */
  readonly isAsked: boolean;
  /** What is best under this limit. */
  readonly best: TuningPoint | null;
}

/** The configuration to take, why, and the two ways to take it: in steps, or at once. */
export function RecommendationCard({ job, result, limitMs, isAsked, best }: RecommendationCardProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const { recommended, note } = result;
  const { model, node } = job;
  const served = useQuery(trpc.config.get.queryOptions({ name: model }));
  // The file with what is recommended in it; where it has none, or cannot be edited, the whole configuration.
  const advised =
    recommended === null || served.data === undefined
      ? null
      : ((served.data.exists ? withFields(served.data.text, recommended.fields) : null) ?? recommended.text);
  const take = (path: string) => () => {
    if (advised === null || served.data === undefined) return;
    const { text, digest } = served.data;
    keepDraft(model, { text: advised, base: { text, digest } });
    router.push(withNode(path, node === "local" ? null : node));
  };
  const download = (
    <Button size="small" onClick={() => downloadText(`${model}-tuning.csv`, "text/csv", tuningCsv(result))}>
      Points as CSV
    </Button>
  );
  if (recommended === null) {
    return (
      <Card title="Nothing to recommend" actions={download}>
        <p>{note ?? "No measured point keeps all limits."}</p>
      </Card>
    );
  }
  const stays = Object.keys(recommended.fields).length === 0;
  const refusal =
    served.data === undefined
      ? "The configuration is being read."
      : advised === null
        ? "The whole configuration is not known."
        : null;
  return (
    <Card
      title={stays ? "Keep what there is" : "Recommended"}
      hint={`${formatShare(recommended.confidence)} sure that no other measured configuration is better.`}
      actions={
        <>
          {download}
          {stays ? null : (
            <>
              <GuardedButton
                permission="model.configure"
                refusal={refusal}
                onClick={take(`${modelPath(model)}/config`)}
              >
                Apply at once
              </GuardedButton>
              <GuardedButton
                permission="rollout.manage"
                refusal={refusal}
                onClick={take(`/rollouts?model=${encodeURIComponent(model)}&what=config`)}
              >
                Roll out in steps
              </GuardedButton>
            </>
          )}
        </>
      }
    >
      <div className="space-y-3">
        <ul className="list-disc space-y-1 pl-5">
          {recommended.why.map((sentence) => (
            <li key={sentence} className="[overflow-wrap:anywhere]">
              {sentence}
            </li>
          ))}
        </ul>
        {isAsked || best === null || best.config === recommended.config ? null : (
          <Banner tone="info">
            Under {limitMs === null ? "no limit" : `${limitMs} ms`} another one would be the best:{" "}
            {settingWords(best.setting)}.
          </Banner>
        )}
        {advised === null || served.data === undefined || stays ? null : (
          <ConfigDiff before={served.data.text} after={advised} beforeLabel="The file now" afterLabel="Recommended" />
        )}
        {note === null ? null : <p className="text-ink-soft">{note}</p>}
      </div>
    </Card>
  );
}
