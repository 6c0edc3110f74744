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

function createClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url: URL, transformer: superjson }),
        false: splitLink({
          // Alone, because a load that takes a minute would hold up everything in its batch.
          condition: (operation) => operation.type === "mutation",
          true: httpLink({ url: URL, transformer: superjson }),
          false: httpBatchLink({ url: URL, transformer: superjson }),
        }),
      }),
    ],
  });
}

/** Gives the pages their query cache and their calls. */
export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
