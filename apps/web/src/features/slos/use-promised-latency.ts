import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";

/** The strictest latency that is promised of a model, milliseconds; undefined where none is, or it is not known yet. */
export function usePromisedLatency(model: string): number | undefined {
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.slos.list.queryOptions({ model }, { staleTime: 60_000 }));
  const limits = data.flatMap(({ slo }) => slo.latencyMs ?? []);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
