import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";

export interface NodeActions {
  cordon(cordoned: boolean): void;
  drain(draining: boolean): void;
  readonly busy: boolean;
}

/** Cordoning and draining of one node, each with a way back. */
export function useNodeActions({ id, name }: { readonly id: string; readonly name: string }): NodeActions {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const shared = {
    onError: (error: unknown) => {
      const { message, fix } = shownError(error);
      toast.error(message, { duration: 12_000, ...(fix !== null && { description: fix }) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.nodes.pathKey() }),
  };
  const cordon = useMutation(
    trpc.nodes.cordon.mutationOptions({
      ...shared,
      onSuccess: (_result, { cordoned }) =>
        void toast.success(cordoned ? `${name} takes no more models` : `${name} takes models again`, {
          action: { label: "Undo", onClick: () => cordon.mutate({ id, cordoned: !cordoned }) },
        }),
    }),
  );
  const drain = useMutation(
    trpc.nodes.drain.mutationOptions({
      ...shared,
      onSuccess: (_result, { draining }) =>
        void toast.success(draining ? `${name} is being drained` : `${name} is back in service`, {
          action: { label: "Undo", onClick: () => drain.mutate({ id, draining: !draining }) },
        }),
    }),
  );
  return {
    cordon: (cordoned) => cordon.mutate({ id, cordoned }),
    drain: (draining) => drain.mutate({ id, draining }),
    busy: cordon.isPending || drain.isPending,
  };
}
