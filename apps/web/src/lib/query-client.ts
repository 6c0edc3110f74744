import { defaultShouldDehydrateQuery, isServer, QueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import superjson from "superjson";

/** Failures that another try does not cure. */
const FINAL = new Set(["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "BAD_REQUEST"]);

function isFinal(error: unknown): boolean {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  return typeof data === "object" && data !== null && "code" in data && FINAL.has(String(data.code));
}

/** Not on the server: the page would wait a second for what may fail again, and the browser asks for it anyway. */
const retryOnce = (count: number, error: unknown): boolean => !isFinal(error) && count < 1;

/** Query cache of one page render or of one browser tab. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, retry: isServer ? false : retryOnce },
      dehydrate: {
        serializeData: superjson.serialize,
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query),
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}
