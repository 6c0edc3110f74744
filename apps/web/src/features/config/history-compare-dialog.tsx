"use client";

import { Dialog, Skeleton } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useQueries } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";

export interface HistoryCompareDialogProps {
  readonly model: string;
  /** Ids of the two entries, the older one first. */
  readonly from: string;
  readonly to: string;
  readonly onClose: () => void;
}

/** Two entries of the history side by side; the address leads to it. */
export function HistoryCompareDialog({ model, from, to, onClose }: HistoryCompareDialogProps) {
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
        <ConfigDiff
          before={before.data.text}
          after={after.data.text}
          beforeLabel={label(before.data)}
          afterLabel={label(after.data)}
        />
      ) : failed === undefined ? (
        <Skeleton className="h-64" />
      ) : (
        <QueryError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      )}
    </Dialog>
  );
}
