import type { LatencyRow, RecentLatency, WindowFigures } from "@nereid/services";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useEffect, useRef, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { useStreamErrorCode } from "../../lib/use-stream-error-code.ts";
import type { LiveFacts } from "../shell/live-notice.ts";
import { appendRow } from "./append-row.ts";

export interface LatencyQuery {
  readonly model: string;
  readonly version?: string;
}

export interface LiveOptions {
  /** Whether there is a stream at all; true when it is absent. */
  readonly enabled?: boolean;
}

export interface LiveLatency {
  /** The last 15 minutes; undefined until they have come. */
  readonly rows: readonly LatencyRow[] | undefined;
  readonly figures: WindowFigures | null;
  readonly facts: LiveFacts;
  readonly error: unknown;
  readonly retrying: boolean;
  restart(): void;
}

/**
 * The page's one live stream. First the remembered seconds by a query, then every further one by a subscription that goes
 * on where the query ended, and after a drop where it had come to; each is added to the query's cache.
 */
export function useLiveLatency(query: LatencyQuery, { enabled = true }: LiveOptions = {}): LiveLatency {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.metrics.recentLatency.queryOptions(query, {
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    enabled,
  });
  const recent = useQuery(options);
  const after = useStart(recent.data, `${query.model}\n${query.version ?? ""}`);
  const change = (update: (old: RecentLatency) => RecentLatency) =>
    queryClient.setQueryData<RecentLatency>(options.queryKey, (old) => (old === undefined ? old : update(old)));
  const heard = useRef(false);
  const stream = useSubscription(
    trpc.metrics.latency.subscriptionOptions(
      { ...query, after: after ?? 0 },
      {
        enabled: enabled && after !== undefined,
        onData: ({ data }) => {
          heard.current = true;
          if (data.kind === "connection") change((old) => ({ ...old, connection: data.connection }));
          else change((old) => ({ ...old, rows: appendRow(old.rows, data.row), figures: data.figures }));
        },
      },
    ),
  );
  const errorCode = useStreamErrorCode(stream.error);
  return {
    rows: recent.data?.rows,
    figures: recent.data?.figures ?? null,
    facts: {
      stream: stream.status,
      hadData: heard.current,
      connection: recent.data?.connection,
      errorCode,
    },
    error: recent.error,
    retrying: recent.isFetching,
    restart: () => {
      if (recent.isError) void recent.refetch();
      else stream.reset();
    },
  };
}

/** The second after which the stream begins: the newest one that the query brought, fixed for as long as `key` is. */
function useStart(data: RecentLatency | undefined, key: string): number | undefined {
  const [start, setStart] = useState<{ key: string; after: number }>();
  const after = data === undefined ? undefined : (data.rows.at(-1)?.t ?? 0);
  const settled = start?.key === key;
  useEffect(() => {
    if (!settled && after !== undefined) setStart({ key, after });
  }, [settled, after, key]);
  return settled ? start?.after : undefined;
}
