"use client";

import { Button, Dialog, Skeleton } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useQueries } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";

export interface HistoryCompareDialogProps {
  readonly model: string;
  /** Ids of the two entries, the older one first. */
  readonly from: string;
  readonly to: string;
  readonly onClose: () => void;
  /** Of the file as it is now. */
  readonly digest: string;
  /** Why nothing can be restored; null when it can. */
  readonly refusal: string | null;
  /** Asks whether an entry is to be brought back. */
  readonly onRestore: (entry: { readonly id: string; readonly at: Date }) => void;
}

/** Two entries of the history side by side; the address leads to it. */
export function HistoryCompareDialog(props: HistoryCompareDialogProps) {
  const { model, from, to, onClose, digest, refusal, onRestore } = props;
  const trpc = useTRPC();
  const [before, after] = useQueries({
    queries: [from, to].map((id) =>
      trpc.config.entry.queryOptions({ name: model, id }, { staleTime: Number.POSITIVE_INFINITY }),
    ),
  });
  const failed = [before, after].find((query) => query?.isError);
  const label = (entry: { readonly authorName: string; readonly at: Date }) =>
    `${entry.authorName}, ${entry.at.toISOString()}`;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="wide"
      title="Two configurations compared"
    >
      {before?.data !== undefined && after?.data !== undefined ? (
        <div className="space-y-3">
          <ConfigDiff
            before={before.data.text}
            after={after.data.text}
            beforeLabel={label(before.data)}
            afterLabel={label(after.data)}
          />
          {before.data.digest === digest ? (
            <p className="text-ink-soft">The older text is the file as it is now.</p>
          ) : (
            <div className="flex flex-wrap items-center justify-end gap-3">
              <p className="text-ink-soft">{refusal ?? "Undo it: the older text is applied again."}</p>
              <Button tone="primary" disabled={refusal !== null} onClick={() => onRestore(before.data)}>
                <Undo2 aria-hidden />
                Restore the older text
              </Button>
            </div>
          )}
        </div>
      ) : failed === undefined ? (
        <Skeleton className="h-64" />
      ) : (
        <QueryError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      )}
    </Dialog>
  );
}
