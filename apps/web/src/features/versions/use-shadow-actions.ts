import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { problem, tell } from "./change-toasts.ts";

export interface ShadowWish {
  readonly target: string;
  readonly percent: number;
  readonly absolute: number;
  readonly relative: number;
}

export interface ShadowActions {
  readonly busy: boolean;
  start(wish: ShadowWish, onDone: () => void): void;
  stop(onDone: () => void): void;
}

/** Beginning and ending the shadow of a model; every change ends in a toast. */
export function useShadowActions(name: string): ShadowActions {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onSettled = () =>
    Promise.all(
      [trpc.shadow, trpc.audit].map((router) => queryClient.invalidateQueries({ queryKey: router.pathKey() })),
    );
  const start = useMutation(
    trpc.shadow.start.mutationOptions({ onSettled, onError: problem("No requests are mirrored") }),
  );
  const stop = useMutation(
    trpc.shadow.stop.mutationOptions({ onSettled, onError: problem("They are still mirrored") }),
  );
  return {
    busy: start.isPending || stop.isPending,
    start: (wish, onDone) =>
      start.mutate(
        { name, ...wish },
        {
          onSuccess: () => {
            onDone();
            tell("Requests are mirrored", { warnings: [] });
          },
        },
      ),
    stop: (onDone) =>
      stop.mutate(
        { name },
        {
          onSuccess: () => {
            onDone();
            tell("No more requests are mirrored", { warnings: [] });
          },
        },
      ),
  };
}
