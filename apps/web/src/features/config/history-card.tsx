"use client";

import { Badge, Button, Card, Checkbox, ConfirmDialog, CopyButton, EmptyState, Skeleton } from "@nereid/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { sourceWords } from "./change-words.ts";
import { HistoryCompareDialog } from "./history-compare-dialog.tsx";
import { configSearchParams } from "./search-params.ts";

const PAGE = 20;

export interface HistoryCardProps {
  readonly model: string;
  /** Of the file as it is now. */
  readonly digest: string;
  /** Why nothing can be restored; null when it can. */
  readonly refusal: string | null;
  readonly restoring: boolean;
  readonly onRestore: (id: string) => void;
}

/** Every configuration the model had: who, when, why. Two can be compared, any can be brought back. */
export function HistoryCard({ model, digest, refusal, restoring, onRestore }: HistoryCardProps) {
  const trpc = useTRPC();
  const [{ from, to }, setParams] = useQueryStates(configSearchParams);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState<{ readonly id: string; readonly at: Date }>();
  const query = useInfiniteQuery(
    trpc.config.history.infiniteQueryOptions(
      { name: model, limit: PAGE },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const entries = query.data?.pages.flatMap((page) => page.entries);
  const toggle = (id: string) =>
    setChosen((old) => (old.includes(id) ? old.filter((one) => one !== id) : [...old, id].slice(-2)));
  const compare = (first: string, second: string) => void setParams({ from: first, to: second }, { history: "push" });
  // The list is newest first, so the later place is the older text.
  const ordered = [...chosen].sort((a, b) => placeOf(entries, b) - placeOf(entries, a));
  const [older, newer] = ordered;

  let content: ReactNode;
  if (entries === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="m-4 h-32" />
    );
  } else if (entries.length === 0) {
    content = <EmptyState title="No configuration yet">The first one that is applied is entry number one.</EmptyState>;
  } else {
    content = (
      <ul className="divide-y divide-line">
        {entries.map((entry, index) => {
          const previous = entries[index + 1];
          return (
            <li key={entry.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
              <Checkbox
                label={`Choose the entry of ${entry.at.toISOString()} for comparison`}
                labelHidden
                checked={chosen.includes(entry.id)}
                onChange={() => toggle(entry.id)}
              />
              <div className="min-w-48 grow basis-64">
                <p>
                  <span className="font-medium">{entry.authorName}</span>{" "}
                  <span className="text-ink-soft">
                    <LocalTime at={entry.at} relative />
                  </span>
                </p>
                <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
                  {sourceWords(entry.source)}
                  {entry.reason === null ? null : `: ${entry.reason}`}
                </p>
              </div>
              <span className="inline-flex items-center gap-1 font-mono text-[0.857rem]">
                {entry.digest.slice(0, 10)}
                <CopyButton text={entry.digest} label="Copy the digest" />
              </span>
              {index === 0 && entry.digest === digest ? <Badge tone="ok">The file now</Badge> : null}
              <div className="ml-auto flex gap-1.5">
                {previous === undefined ? null : (
                  <Button size="small" tone="quiet" onClick={() => compare(previous.id, entry.id)}>
                    What changed
                  </Button>
                )}
                {entry.digest === digest ? null : (
                  <Button
                    size="small"
                    disabled={refusal !== null || restoring}
                    title={refusal ?? undefined}
                    onClick={() => setAsking({ id: entry.id, at: entry.at })}
                  >
                    Restore
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    );
  }
  return (
    <Card
      flush
      title="History"
      hint="Restoring makes a new entry; nothing is ever removed."
      actions={
        <Button
          size="small"
          disabled={older === undefined || newer === undefined}
          onClick={() => {
            if (older !== undefined && newer !== undefined) compare(older, newer);
          }}
        >
          Compare {chosen.length} of 2
        </Button>
      }
    >
      {content}
      {query.hasNextPage ? (
        <div className="flex justify-center border-t p-2">
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older entries
          </Button>
        </div>
      ) : null}
      {from === null || to === null ? null : (
        <HistoryCompareDialog
          model={model}
          from={from}
          to={to}
          digest={digest}
          refusal={restoring ? "It is being restored." : refusal}
          onRestore={({ id, at }) => {
            setAsking({ id, at });
            void setParams({ from: null, to: null });
          }}
          onClose={() => void setParams({ from: null, to: null }, { history: "push" })}
        />
      )}
      <ConfirmDialog
        open={asking !== undefined}
        onOpenChange={(open) => {
          if (!open) setAsking(undefined);
        }}
        title={`Restore this configuration of ${model}?`}
        action="Restore it"
        onConfirm={() => {
          if (asking !== undefined) onRestore(asking.id);
        }}
      >
        <p>
          The text of {asking === undefined ? "" : <LocalTime at={asking.at} />} is applied again, as a new entry. What
          is served now goes on until it is ready, and stays if it cannot be loaded.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

function placeOf(entries: readonly { readonly id: string }[] | undefined, id: string): number {
  return entries?.findIndex((entry) => entry.id === id) ?? 0;
}
