import type { LatencyRow } from "@nereid/services";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { type HistoryView, historyInputOf } from "./history-input.ts";
import { isFollowed, lengthOf, refreshMs } from "./time-window.ts";

/** What was measured in a window, and, for comparison, in the one of the same length before it. Asked for again as time goes on. */
export function useModelHistory(view: HistoryView, live: readonly LatencyRow[] | undefined) {
  const trpc = useTRPC();
  const { window, compare, paused } = view;
  const input = historyInputOf(view);
  const refetchInterval = paused ? false : refreshMs(window, Date.now() / 1000);
  const now = useQuery(
    trpc.history.range.queryOptions(input, { refetchInterval, placeholderData: keepPreviousData, enabled: !paused }),
  );
  const earlier = useQuery(
    trpc.history.range.queryOptions(
      { ...input, before: lengthOf(window) },
      { refetchInterval, placeholderData: keepPreviousData, enabled: compare && !paused },
    ),
  );
  const newest = live?.at(-1)?.t;
  const step = now.data?.step ?? 1;
  const stepOver = useEffectEvent((t: number) => {
    // Single seconds are appended; of longer steps the server has to add up the newest.
    const longer = step > 1 && (t + 1) % step === 0;
    if ((longer || (view.split !== null && t % 2 === 0)) && isFollowed(window) && !paused) void now.refetch();
  });
  useEffect(() => {
    if (newest !== undefined) stepOver(newest);
  }, [newest]);
  return { now, earlier };
}
