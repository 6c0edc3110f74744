import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { LOADING_REFRESH_MS, refreshInterval } from "./load-words.ts";

/**
 * A model as it stands, asked for again every few seconds, more often while it is being loaded, or about to be (`hurry`). One request
 * however many ask.
 */
export function useModelDetail(name: string, { hurry = false } = {}) {
  const trpc = useTRPC();
  return useQuery(
    trpc.models.get.queryOptions(
      { name },
      {
        refetchInterval: ({ state }) =>
          hurry ? LOADING_REFRESH_MS : refreshInterval(state.data === undefined ? [] : [state.data.status]),
      },
    ),
  );
}
