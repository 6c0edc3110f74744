"use client";

import type { Draft } from "@nereid/client";
import { Badge, Button, Card } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { QueryError } from "../shell/query-error.tsx";

const STATE_TEXT = {
  open: { text: "uploading", tone: "busy" },
  checking: { text: "being checked", tone: "busy" },
  ready: { text: "ready to publish", tone: "ok" },
  refused: { text: "refused", tone: "bad" },
  publishing: { text: "being published", tone: "busy" },
  published: { text: "published", tone: "neutral" },
} as const;

/** Deployments that were begun and not ended, also by others. */
export function OpenDrafts({ onShow }: { readonly onShow: (id: string) => void }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.deploy.list.queryOptions());
  const drafts = query.data?.filter(({ state }) => state !== "published") ?? [];
  if (query.isError) {
    return (
      <Card flush title="Unfinished deployments">
        <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      </Card>
    );
  }
  if (drafts.length === 0) return null;
  return (
    <Card flush title="Unfinished deployments" hint="Kept for a week.">
      <ul className="divide-y">
        {drafts.map((draft) => (
          <li key={draft.id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
            <div className="min-w-0">
              <p className="font-medium [overflow-wrap:anywhere]">{nameOf(draft)}</p>
              <p className="text-[0.893rem] text-ink-soft">
                {draft.author}, <LocalTime at={new Date(draft.createdAtMs)} relative />
              </p>
            </div>
            <div className="flex items-center gap-3">
              <Badge tone={STATE_TEXT[draft.state].tone}>{STATE_TEXT[draft.state].text}</Badge>
              <Button size="small" onClick={() => onShow(draft.id)}>
                Go on
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function nameOf({ report, model, uploads }: Draft): string {
  if (report !== null) return `${report.model}/${report.version}`;
  return model ?? uploads[0]?.path ?? "without files";
}
