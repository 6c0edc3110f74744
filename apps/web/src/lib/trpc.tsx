"use client";

import type { AppRouter } from "@nereid/api";
import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import { createQueryClient } from "./query-client.ts";

const context = createTRPCContext<AppRouter>();

export const { useTRPC, useTRPCClient } = context;

const URL = "/api/trpc";

/** Queries that take long, or ask other servers: a page's other data must not wait for them in one answer. */
const ALONE: ReadonlySet<string> = new Set(["diagnose.run", "nodes.list", "nodes.model", "history.range"]);

function createClient(node: string | null) {
  const url = node === null ? URL : `${URL}?node=${encodeURIComponent(node)}`;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url, transformer: superjson }),
        false: splitLink({
          // Alone, because a load that takes a minute would hold up everything in its batch.
          condition: ({ type, path }) => type === "mutation" || ALONE.has(path),
          true: httpLink({ url, transformer: superjson }),
          false: httpBatchLink({ url, transformer: superjson }),
        }),
      }),
    ],
  });
}

function createApi(node: string | null) {
  return { queryClient: createQueryClient(), trpcClient: createClient(node) };
}

export interface ApiProviderProps {
  /** The node that all calls are for; null = the local one. */
  readonly node?: string | null;
  readonly children: ReactNode;
}

/** Gives the pages their query cache and their calls: each node has its own, so that what they tell is never mixed. */
export function ApiProvider({ node = null, children }: ApiProviderProps) {
  const [apis] = useState(() => new Map<string | null, ReturnType<typeof createApi>>());
  const { queryClient, trpcClient } = apis.get(node) ?? createApi(node);
  if (!apis.has(node)) apis.set(node, { queryClient, trpcClient });
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
