"use client";

import type { LabKind } from "@nereid/services";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { jobSearchParams } from "./search-params.ts";

const REFRESH_MS = 2_000;

/** Jobs of a kind as the address filters them, newest first, read again every other second. */
export function useJobs(kind: LabKind) {
  const trpc = useTRPC();
  const [{ q, phase, model }] = useQueryStates(jobSearchParams);
  const query = useInfiniteQuery(
    trpc.lab.list.infiniteQueryOptions(
      {
        kind,
        limit: 30,
        ...(q !== "" && { text: q }),
        ...(phase !== null && { phase }),
        ...(model !== null && { model }),
      },
      {
        getNextPageParam: (page) => page.nextCursor ?? undefined,
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
      },
    ),
  );
  return {
    query,
    jobs: query.data?.pages.flatMap((page) => page.jobs),
    isFiltered: q !== "" || phase !== null || model !== null,
  };
}
