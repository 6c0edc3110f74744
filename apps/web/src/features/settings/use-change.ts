import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";

/** What all changes of the settings do at their end: read anew, and say what went wrong. */
export function useChange() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return {
    onError: (error: unknown) => {
      const { message, fix } = shownError(error);
      toast.error(message, { duration: 12_000, ...(fix !== null && { description: fix }) });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: trpc.users.pathKey() }),
        queryClient.invalidateQueries({ queryKey: trpc.keys.pathKey() }),
        queryClient.invalidateQueries({ queryKey: trpc.session.pathKey() }),
        queryClient.invalidateQueries({ queryKey: trpc.audit.pathKey() }),
      ]),
  };
}
