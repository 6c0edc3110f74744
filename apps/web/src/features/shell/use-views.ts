import type { SavedView } from "@nereid/services";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";

const STALE_MS = 30_000;

/** The reader's saved views, and what can be done with them. */
export function useViews() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const list = useQuery(trpc.views.list.queryOptions(undefined, { staleTime: STALE_MS }));
  const change = {
    onError: (error: unknown) => {
      const { message, fix } = shownError(error);
      toast.error(message, { duration: 12_000, ...(fix !== null && { description: fix }) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.views.pathKey() }),
  };
  const save = useMutation(
    trpc.views.save.mutationOptions({ ...change, onSuccess: ({ name }) => toast.success(`${name} is saved`) }),
  );
  const rename = useMutation(trpc.views.rename.mutationOptions(change));
  const remove = useMutation(
    trpc.views.remove.mutationOptions({
      ...change,
      onSuccess: ({ name, path }: SavedView) =>
        toast.success(`${name} is deleted`, {
          duration: 10_000,
          action: { label: "Undo", onClick: () => save.mutate({ name, path }) },
        }),
    }),
  );
  return { list, save, rename, remove };
}
