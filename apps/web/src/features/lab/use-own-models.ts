import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";

/** Models that are no candidates of others; undefined until they are known. */
export function useOwnModels() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.models.list.queryOptions(undefined, { refetchInterval: 10_000 }));
  return data?.filter(({ candidateOf }) => (candidateOf ?? null) === null);
}
