import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";

export type PendingAction = "load" | "unload";

export interface ModelActions {
  load(name: string): void;
  unload(name: string): void;
  /** Ends the loads of the model that are in progress, whoever asked for them. */
  cancelLoad(name: string): void;
  isCancelling(name: string): boolean;
  /** Whether this page waits for a load. */
  readonly isLoading: boolean;
  /** What this page has asked for and not heard of yet. */
  pendingOf(name: string): PendingAction | undefined;
}

function nameOf(variables: unknown): string | undefined {
  if (typeof variables !== "object" || variables === null || !("name" in variables)) return undefined;
  return typeof variables.name === "string" ? variables.name : undefined;
}

/** What tRPC calls CANCELLED. */
const CANCELLED = "CLIENT_CLOSED_REQUEST";

/** Loading and unloading, with what is under way and a toast at the end. */
export function useModelActions(): ModelActions {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.models.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.audit.pathKey() }),
    ]);
  const failed =
    (verb: string) =>
    (error: unknown, { name }: { name: string }) => {
      const { message, fix, code } = shownError(error);
      if (code === CANCELLED) return tellCancelled(name);
      const description = fix === null ? message : `${message} – ${fix}`;
      toast.error(`${name} was not ${verb}`, { description, duration: 12_000 });
    };
  const load = useMutation(
    trpc.models.load.mutationOptions({
      onSuccess: ({ warnings }, { name }) => {
        if (warnings.length === 0) toast.success(`${name} is loaded`);
        else
          toast.warning(`${name} is loaded, with remarks`, {
            description: warnings.map((one) => one.message).join(" · "),
          });
      },
      onError: failed("loaded"),
      onSettled: refresh,
    }),
  );
  const unload = useMutation(
    trpc.models.unload.mutationOptions({
      onSuccess: (_result, { name }) =>
        void toast.success(`${name} is being unloaded`, {
          action: { label: "Undo", onClick: () => load.mutate({ name }) },
        }),
      onError: failed("unloaded"),
      onSettled: refresh,
    }),
  );
  const tellCancelled = (name: string): void => {
    // One message, whether this page asked for the load, for its end, or for both.
    toast.info(`The load of ${name} was cancelled`, {
      id: `cancelled ${name}`,
      action: { label: "Load again", onClick: () => load.mutate({ name }) },
    });
  };
  const cancel = useMutation(
    trpc.models.cancelLoad.mutationOptions({
      onSuccess: (_result, { name }) => tellCancelled(name),
      onError: (error, { name }) => {
        toast.error(`No load of ${name} was cancelled`, { description: shownError(error).message });
      },
      onSettled: refresh,
    }),
  );
  const pendingNames = (key: readonly unknown[]) => ({
    filters: { mutationKey: key, status: "pending" as const },
    select: (mutation: { state: { variables: unknown } }) => nameOf(mutation.state.variables),
  });
  const loading = useMutationState(pendingNames(trpc.models.load.mutationKey()));
  const unloading = useMutationState(pendingNames(trpc.models.unload.mutationKey()));
  const cancelling = useMutationState(pendingNames(trpc.models.cancelLoad.mutationKey()));
  return {
    isLoading: loading.length > 0,
    cancelLoad: (name) => cancel.mutate({ name }),
    isCancelling: (name) => cancelling.includes(name),
    load: (name) => load.mutate({ name }),
    unload: (name) => unload.mutate({ name }),
    pendingOf: (name) => (loading.includes(name) ? "load" : unloading.includes(name) ? "unload" : undefined),
  };
}
