import type { Traffic } from "@nereid/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { problem, tell } from "./change-toasts.ts";

export interface TrafficActions {
  readonly busy: boolean;
  /** Null = all to the highest version again; `before` is what Undo brings back. */
  divide(change: { readonly to: Traffic | null; readonly before: Traffic | null; readonly onDone: () => void }): void;
}

/** Dividing the traffic of a model; every change ends in a toast, with Undo. */
export function useTrafficActions(name: string): TrafficActions {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onSettled = () =>
    Promise.all(
      [trpc.models, trpc.traffic, trpc.audit].map((router) =>
        queryClient.invalidateQueries({ queryKey: router.pathKey() }),
      ),
    );
  const change = useMutation(
    trpc.traffic.divide.mutationOptions({ onSettled, onError: problem("The traffic was not changed") }),
  );
  const inputOf = (traffic: Traffic | null) => ({
    name,
    weights: traffic === null ? null : { ...traffic.weights },
    ...(traffic?.stickyHeader === undefined ? {} : { stickyHeader: traffic.stickyHeader }),
  });
  return {
    busy: change.isPending,
    divide: ({ to, before, onDone }) =>
      change.mutate(inputOf(to), {
        onSuccess: (done) => {
          onDone();
          const words = to === null ? "The traffic is no longer divided" : "The traffic is divided";
          tell(words, done, () =>
            change.mutate(inputOf(before), {
              onSuccess: (undone) => tell("Taken back: the traffic goes as before", undone),
            }),
          );
        },
      }),
  };
}
