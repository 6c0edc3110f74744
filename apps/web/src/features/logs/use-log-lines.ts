import type { LogLine } from "@nereid/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useEffect, useRef } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { useStreamErrorCode } from "../../lib/use-stream-error-code.ts";

export interface LogFilter {
  readonly model: string;
  readonly version?: string;
  readonly instance?: string;
  readonly level: LogLine["level"];
  readonly q?: string;
  /** Unix milliseconds. */
  readonly since?: number;
}

export interface LogLines {
  /** The oldest first; undefined until they have come. */
  readonly lines: readonly LogLine[] | undefined;
  readonly error: unknown;
  readonly retrying: boolean;
  /** Whether further lines come by themselves. */
  readonly live: boolean;
  retry(): void;
}

const MOST = 5_000;
/** Lines that come in quick succession are drawn together. */
const GATHER_MS = 250;

/** The remembered lines by a query, every further one by a subscription that goes on where the query ended. */
export function useLogLines(filter: LogFilter): LogLines {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.logs.list.queryOptions(
    { ...filter, limit: MOST },
    { staleTime: Number.POSITIVE_INFINITY, refetchOnReconnect: false },
  );
  const recent = useQuery(options);
  const arrived = useRef<LogLine[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = () => {
    timer.current = undefined;
    const fresh = arrived.current.splice(0);
    queryClient.setQueryData(options.queryKey, (old) => {
      if (old === undefined) return old;
      const last = old.lines.at(-1)?.id ?? 0;
      return { ...old, lines: [...old.lines, ...fresh.filter(({ id }) => id > last)].slice(-MOST) };
    });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const stream = useSubscription(
    trpc.logs.follow.subscriptionOptions(
      { ...filter, after: recent.data?.next ?? 0 },
      {
        enabled: recent.data !== undefined,
        onData: ({ data }) => {
          arrived.current.push(data);
          timer.current ??= setTimeout(flush, GATHER_MS);
        },
      },
    ),
  );
  const streamError = useStreamErrorCode(stream.error);
  return {
    lines: recent.data?.lines,
    error: recent.error,
    retrying: recent.isFetching,
    live: stream.status === "pending" && streamError === undefined,
    retry: () => {
      if (recent.isError) void recent.refetch();
      else stream.reset();
    },
  };
}
