import type { AlertRecord } from "@nereid/services";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { useChange } from "../settings/use-change.ts";

/** Says that one looks after an alert, or takes that back. */
export function useAcknowledge() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const mutation = useMutation(
    trpc.alerts.acknowledge.mutationOptions({
      ...change,
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: trpc.alerts.pathKey() }),
    }),
  );
  return {
    pendingId: mutation.isPending ? mutation.variables.id : null,
    acknowledge: ({ id }: AlertRecord, acknowledged: boolean) => mutation.mutate({ id, acknowledged }),
  };
}
