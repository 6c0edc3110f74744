import { useQuery } from "@tanstack/react-query";
import { shownError } from "./api-error.ts";
import { useTRPC } from "./trpc.tsx";

/**
 * Code of the error that ended a stream for good. Browsers hide why a stream was refused, so a refusal without words is looked
 * into with a call that answers in full: most often the session has ended.
 */
export function useStreamErrorCode(error: unknown): string | undefined {
  const trpc = useTRPC();
  const code = error === null ? undefined : shownError(error).code;
  const unexplained = code === "OFFLINE";
  const session = useQuery(trpc.session.me.queryOptions(undefined, { enabled: unexplained, gcTime: 0, staleTime: 0 }));
  return unexplained && session.error !== null ? shownError(session.error).code : code;
}
